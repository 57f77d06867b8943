// Ask for a change of the running job, and see its way: published, accepted or refused, planned, applied at step N.
import { button, code, Component, details, div, form, h2, h3, input, label, li, ol, option, p, section, select, span, strong, summary, textarea, ul } from '/js/dom.js';
import * as api from '/js/api.js';
import { bytes, count, duration, moment, stall } from '/js/format.js';
import { Resource } from '/js/resource.js';
import { changesOf, nowMs } from '/js/store.js';
import { refusal } from '/js/views/event-list.js';

const WAYS_SHOWN = 6;
const FIELDS = [
  { key: 'workers', label: 'Workers', inputmode: 'numeric', step: 1 },
  { key: 'batch', label: 'Global batch', inputmode: 'numeric' },
  { key: 'lr', label: 'Learning rate', inputmode: 'decimal' },
];

const PREVIEW_AFTER_MS = 250; // of no typing

/** What the coordinator would decide, asked for while a person types. */
class Preview extends Resource {
  ask(path) {
    const { job, changes } = JSON.parse(path);
    return api.post(`/api/jobs/${encodeURIComponent(job)}/config/preview`, { changes, requestedBy: 'web-ui' });
  }
}

export class changePanel extends Component {
  constructor() {
    super();
    this.state = { values: {}, free: '' };
    this.preview = new Preview(() => this.setState({}));
  }

  componentWillUnmount() {
    this.preview.drop();
  }

  submit = (event) => {
    event.preventDefault();
    const { actions, job } = this.props;
    const { changes } = this.wanted();
    actions.publish(job.id, changes);
    this.setState({ values: {}, free: '' });
  };

  /** {changes, wrong}: only what differs from what holds now; lines of the free field that are not key=value. */
  wanted() {
    const { job } = this.props;
    const changes = {};
    for (const { key } of FIELDS) {
      const value = this.state.values[key]?.trim();
      if (value !== undefined && value !== '' && value !== job.config[key]) changes[key] = value;
    }
    const wrong = [];
    for (const line of this.state.free.split(/[\n,]/).map((x) => x.trim()).filter(Boolean)) {
      const at = line.indexOf('=');
      if (at < 1) wrong.push(line);
      else changes[line.slice(0, at).trim()] = line.slice(at + 1).trim();
    }
    return { changes, wrong };
  }

  render({ state, job }) {
    const over = job.phase === 'STOPPED' || job.phase === 'COMPLETED';
    const { changes, wrong } = this.wanted();
    const ask = Object.keys(changes).length > 0 && wrong.length === 0 && !over;
    // The offset of the plan in force is part of the question: another plan, another answer.
    const question = ask ? JSON.stringify({ job: job.id, changes, generation: job.plan?.generation, pending: job.pending?.generation, pool: state.pool.workers.length }) : null;
    if (question) this.preview.wantSoon(question, PREVIEW_AFTER_MS);
    else this.preview.want(null);
    const asked = Object.entries(changes).map(([key, value]) => `${key}=${value}`);
    return section({ class: 'card change', 'aria-labelledby': 'change-title' },
      h2({ id: 'change-title' }, 'Change while it runs'),
      over
        ? p({ class: 'dim' }, `The job is ${job.phase.toLowerCase()}; it takes no more changes.`)
        : form({ class: 'change-form', onSubmit: this.submit },
            div({ class: 'fields' }, FIELDS.map((field) => this.field(field, job))),
            details({ class: 'more-settings' }, summary('Any other setting'),
              label({ class: 'field' }, span(code('key=value'), ', one a line'),
                textarea({ name: 'free', rows: 3, spellcheck: false, placeholder: 'clip=0.5\ncheckpoint.every=200', value: this.state.free, onInput: (e) => this.setState({ free: e.target.value }) })),
              currentConfig(job)),
            wrong.length > 0 && p({ class: 'problem', role: 'alert' }, `A setting is written key=value: “${wrong[0]}”.`),
            question && preview(this.preview),
            div({ class: 'send' },
              button({ type: 'submit', class: 'primary', disabled: asked.length === 0 || wrong.length > 0 || state.notice?.busy }, state.notice?.busy ? 'Publishing…' : 'Publish change'),
              span({ class: 'dim', 'aria-live': 'polite' }, asked.length > 0 ? code(asked.join(' ')) : 'Takes effect at the next step boundary.'))),
      problem(state.notice?.problem),
      ways(state, job));
  }

  field({ key, label: text, inputmode, step }, job) {
    const value = this.state.values[key] ?? job.config[key] ?? '';
    const set = (next) => this.setState({ values: { ...this.state.values, [key]: next } });
    const by = (n) => set(String(Math.max(1, (Number.parseInt(value, 10) || 0) + n)));
    return label({ class: 'field', key }, span(text),
      span({ class: 'input' },
        step && button({ type: 'button', class: 'step', 'aria-label': `Fewer ${text.toLowerCase()}`, onClick: () => by(-step) }, '−'),
        input({ name: key, value, inputmode, autocomplete: 'off', spellcheck: false, onInput: (e) => set(e.target.value) }),
        step && button({ type: 'button', class: 'step', 'aria-label': `More ${text.toLowerCase()}`, onClick: () => by(step) }, '+')));
  }
}

/** What would happen: in one line, then what it rests on. */
function preview({ value, problem: failure, busy }) {
  if (failure) return div({ class: 'preview dim', role: 'status' }, `No preview: ${failure.value}`);
  if (!value) return div({ class: 'preview dim', role: 'status' }, busy ? 'Asking the planner…' : '');
  const refused = value.outcome === 'REFUSED';
  return div({ class: `preview ${refused ? 'refused' : 'fine'}`, role: 'status', 'data-outcome': value.outcome },
    p(strong(refused ? 'Would be refused' : 'Preview'), refused ? '' : ': ', refused ? '' : value.sentence),
    refused && value.refusals.map(refusal),
    value.outcome === 'PLANNED' && value.after && p({ class: 'dim' },
      `Generation ${value.after.generation}: ${value.after.members.join(', ')}. `,
      value.movedBytes > 0 ? `${bytes(value.movedBytes)} of optimizer state would move, least possible ${bytes(value.lowerBoundBytes)}. ` : '',
      `Nothing is published yet; computed from the state after offset ${count(value.basedOnOffset)}.`));
}

const currentConfig = (job) =>
  ul({ class: 'config' }, Object.entries(job.config).map(([key, value]) => li({ key }, code(key), ' ', span({ class: 'dim' }, value))));

const problem = (body) =>
  body ? div({ class: 'problem', role: 'alert' }, strong('Not published'), refusal(body)) : null;

function ways(state, job) {
  const changes = changesOf(state, job.id);
  if (changes.length === 0) return null;
  return div({ class: 'ways', 'aria-live': 'polite' },
    h3('Changes'),
    ol(changes.slice(0, WAYS_SHOWN).map((change) => li({ key: change.eventId, class: 'way', 'data-event': change.eventId, 'data-status': change.status }, way(state, change)))),
    changes.length > WAYS_SHOWN && p({ class: 'dim' }, `${count(changes.length - WAYS_SHOWN)} older in the events below.`));
}

function way(state, change) {
  const { zone } = state.prefs;
  const at = moment(change.publishedAtMs, zone);
  const settings = Object.entries(change.changes).map(([key, value]) => `${key}=${value}`).join(' ');
  return [
    div({ class: 'way-head' }, code(settings), span({ class: 'dim', title: `event ${change.eventId}` }, `${at.clock} ${at.zone}${change.requestedBy ? ` by ${change.requestedBy}` : ''}`)),
    ol({ class: 'stations' }, stations(state, change)),
    change.status === 'REFUSED' && change.refusals.map(refusal),
    change.note && change.status !== 'APPLIED' && p({ class: 'dim' }, change.note),
  ];
}

function stations(state, change) {
  const waited = duration(nowMs(state) - change.publishedAtMs);
  const after = (ms) => (ms === null ? '' : ` +${duration(ms - change.publishedAtMs)}`);
  const list = [station('done', 'published', '')];
  if (change.status === 'REFUSED') return [...list, station('refused', 'refused', 'the job goes on unchanged')];
  const accepted = change.status !== 'PUBLISHED';
  list.push(station(accepted ? 'done' : 'open', accepted ? 'accepted' : 'waits for the coordinator', accepted ? after(change.decidedAtMs) : waited));
  const planned = change.status === 'PLANNED' || change.status === 'APPLIED';
  list.push(station(planned ? 'done' : accepted ? 'open' : 'ahead', planned ? `planned, generation ${change.generation}` : accepted ? 'waits for a plan' : 'planned', planned ? after(change.plannedAtMs) : accepted ? waited : ''));
  const applied = change.status === 'APPLIED';
  list.push(station(applied ? 'done' : planned ? 'open' : 'ahead', applied ? `applied at step ${count(change.firstStep)}` : planned ? 'workers get ready' : 'applied', applied ? `stall ${stall(change.stallMicros)}` : planned ? waited : ''));
  return list;
}

const SIGNS = { done: '✓', open: '◌', ahead: '·', refused: '✕' };
const station = (how, text, detail) =>
  li({ class: `station ${how}`, key: text }, span({ class: 'station-sign', 'aria-hidden': 'true' }, SIGNS[how]), span(text), detail && span({ class: 'dim' }, detail));
