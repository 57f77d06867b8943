// What happened and why, newest first, filterable; the filter stands in the address.
import { a, button, code, details, div, dl, dt, dd, h2, input, label, li, ol, p, section, span, strong, summary, time } from '/js/dom.js';
import { count, moment } from '/js/format.js';
import { asItWas } from '/js/routes.js';
import { source } from '/js/views/empty.js';

const TONE_SIGNS = { GOOD: '✓', NEUTRAL: '•', WARNING: '!', BAD: '✕' };

const searchText = (row) =>
  [row.kind, row.text, row.reason, row.job, row.worker, row.eventId, ...row.refusals.flatMap((r) => [r.rule, r.value, r.nextStep])].join(' ').toLowerCase();

export function eventList(state, actions) {
  const needle = state.query.trim().toLowerCase();
  const rows = needle ? state.events.filter((row) => searchText(row).includes(needle)) : state.events;
  return section({ class: 'card events', 'aria-labelledby': 'events-title' },
    div({ class: 'card-head' },
      h2({ id: 'events-title' }, 'Events ', span({ class: 'dim' }, needle ? `${count(rows.length)} of ${count(state.events.length)}` : count(rows.length))),
      label({ class: 'search' }, span({ class: 'hidden' }, 'Filter events'),
        input({ type: 'search', placeholder: 'Filter: refused, w2, checkpoint…', value: state.query, onInput: (e) => actions.filter(e.target.value) }))),
    rows.length === 0
      ? needle
        ? div({ class: 'empty' }, p({ class: 'dim' }, `None of the ${count(state.events.length)} loaded events contains “${state.query}”. Clear the filter, load older ones, or `, a({ href: `#/log?q=${encodeURIComponent(state.query)}` }, 'search the whole log'), '.'), source(state))
        : p({ class: 'dim empty-line' }, 'No event yet: the first decision of the coordinator appears here.')
      : ol({ class: 'rows' }, rows.map((row) => item(row, state.prefs.zone))),
    state.eventsMore && button({ type: 'button', class: 'secondary more', onClick: actions.older }, 'Load older events'));
}

function item(row, zone) {
  const at = moment(row.atMs, zone);
  return li({ key: row.id, class: `row ${row.tone.toLowerCase()}` },
    time({ class: 'when', dateTime: new Date(row.atMs).toISOString() }, span(at.clock), span({ class: 'dim' }, `${at.date} ${at.zone}`)),
    span({ class: 'sign', 'aria-hidden': 'true' }, TONE_SIGNS[row.tone]),
    div({ class: 'what' },
      div(span({ class: 'kind' }, row.kind), ' ', row.text),
      row.refusals.length > 0 ? row.refusals.map((r) => refusal(r)) : row.reason && div({ class: 'reason' }, `because ${row.reason}`)),
    a({ class: 'place dim', href: asItWas(row.offset), title: `event ${row.eventId}: the pool as it was` }, `offset ${row.offset}`));
}

export const refusal = (r) =>
  dl({ class: 'refusal', key: r.rule + r.value }, dt('Rule'), dd(r.rule), dt('Value'), dd(code(r.value)), dt('Next'), dd(r.nextStep));
