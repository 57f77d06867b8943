// The logs as their topics hold them, filtered by place, time, kind and text; the filter stands in the address. Above them the
// pool as it was at any journal offset.
import { a, button, code, Component, div, dl, dt, dd, form, h, h2, input, label, li, ol, option, p, section, select, span, time } from '/js/dom.js';
import * as api from '/js/api.js';
import { count, dateTime, fromZone, moment, plural } from '/js/format.js';
import { Resource } from '/js/resource.js';
import { asItWas, here, link, momentInCurves, setParams } from '/js/routes.js';
import { emptyFilter, problemCard, source } from '/js/views/empty.js';
import { refusal } from '/js/views/event-list.js';
import { timeTravel } from '/js/views/time-travel.js';

const PAGE = 100;
const AGAIN_MS = 2_000; // a live log is read again at most so often
const TONE_SIGNS = { GOOD: '✓', NEUTRAL: '•', WARNING: '!', BAD: '✕' };
const TOPICS = ['decisions', 'journal', 'dead-letters'];
const KINDS = ['refused', 'change accepted', 'plan issued', 'plan applied', 'plan withdrawn', 'generation broken', 'worker joined', 'worker removed', 'checkpoint', 'phase'];
const FILTERS = ['topic', 'partition', 'from', 'since', 'q', 'job', 'only', 'steps'];

export class logPage extends Component {
  constructor() {
    super();
    this.page = new Resource(() => this.setState({}));
    this.older = []; // pages after the first
    this.state = { busy: false };
  }

  componentWillUnmount() {
    this.page.drop();
    clearTimeout(this.timer);
  }

  filter() {
    const { params } = here();
    return Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? '']));
  }

  path(next = '') {
    const filter = this.filter();
    return `/api/log?${api.query({ ...filter, next, limit: PAGE })}`;
  }

  /** New decisions: the newest page is read again, unless a person has gone further. */
  follow(newest) {
    const { from, since } = this.filter();
    if (newest === this.newest || from || since || this.older.length > 0) return;
    const first = this.newest === undefined;
    this.newest = newest;
    if (first || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.page.want(this.path(), true);
    }, AGAIN_MS);
  }

  set = (values) => {
    this.older = [];
    setParams(values);
    this.props.actions.changed();
    this.setState({});
  };

  more = async () => {
    const last = this.older[this.older.length - 1] ?? this.page.value;
    this.setState({ busy: true, problem: null });
    try {
      const cursor = Object.entries(last.next).map(([partition, offset]) => `${partition}:${offset}`).join(',');
      this.older = [...this.older, await api.get(this.path(cursor))];
      this.setState({ busy: false });
    } catch (error) {
      this.setState({ busy: false, problem: error.problem ?? { rule: 'the server must be reachable', value: error.message, nextStep: 'try again' } });
    }
  };

  render({ state, actions }, { busy, problem }) {
    const filter = this.filter();
    const path = this.path();
    if (path !== this.page.path) this.older = [];
    this.page.wantSoon(path, this.page.path === null ? 0 : 80);
    this.follow(state.events[0]?.id);
    const first = this.page.value;
    const pages = first ? [first, ...this.older] : [];
    const rows = pages.flatMap((x) => x.rows);
    const last = pages[pages.length - 1];
    return div({ class: 'job' },
      h(timeTravel, { state, actions }),
      section({ class: 'card log', 'aria-labelledby': 'log-title' },
        div({ class: 'card-head' }, h2({ id: 'log-title' }, 'Log ', span({ class: 'dim' }, filter.topic || 'decisions')), extents(first)),
        h(filterForm, { filter, state, set: this.set }),
        outside(first, filter),
        problemCard(problem ?? this.page.problem),
        !first
          ? p({ class: 'dim empty-line' }, this.page.problem ? '' : 'Reading the log…')
          : rows.length === 0 ? this.nothing(state, filter, last) : ol({ class: 'rows' }, rows.map((row) => item(row, state))),
        last && !last.exhausted && button({ type: 'button', class: 'secondary more', disabled: busy, onClick: this.more },
          busy ? 'Reading…' : filter.from || filter.since ? 'Next page' : 'Older'),
        last && rows.length > 0 && last.exhausted && p({ class: 'dim' }, 'The log ends here.')));
  }

  nothing(state, filter, last) {
    const asked = FILTERS.filter((name) => filter[name] && name !== 'topic').map((name) => `${name}=${filter[name]}`).join(' ');
    const looked = [['Log', filter.topic || 'decisions'], ['Searched', `${count(last.scanned)} records`]];
    return asked
      ? emptyFilter(state, `the records of ${filter.topic || 'decisions'}`, asked, looked, link('/log', { topic: filter.topic }))
      : div({ class: 'empty' }, p('This log holds no record yet. The first decision of the coordinator appears here.'), source(state, looked));
  }
}

class filterForm extends Component {
  /** What is being typed stays while the page renders again; it counts when it is done. */
  done = (event) => {
    const from = event.target.value.replace(/\D/g, '');
    this.setState({ from: undefined });
    this.props.set({ from, since: null });
  };

  render({ filter, state, set }, { since, from }) {
    const { zone } = state.prefs;
    const shownSince = since ?? (filter.since ? `${moment(+filter.since, zone).date} ${moment(+filter.since, zone).clock}` : '');
    const wrong = since !== undefined && since !== '' && Number.isNaN(fromZone(since, zone));
    const onSince = (event) => {
      const text = event.target.value;
      this.setState({ since: text });
      const at = fromZone(text, zone);
      if (text === '') set({ since: null });
      else if (!Number.isNaN(at)) set({ since: at, from: null });
    };
    const choose = (name) => (event) => set({ [name]: event.target.value });
    return form({ class: 'filter', role: 'search', onSubmit: (event) => event.preventDefault() },
      label({ class: 'field' }, span('Log'), select({ name: 'topic', value: filter.topic || 'decisions', onChange: choose('topic') }, TOPICS.map((t) => option({ key: t, value: t }, t)))),
      label({ class: 'field' }, span('Search'), input({ type: 'search', name: 'q', value: filter.q, placeholder: 'w2, checkpoint, rule…', onInput: choose('q') })),
      label({ class: 'field' }, span('Kind'), select({ name: 'only', value: filter.only, onChange: choose('only') }, option({ value: '' }, 'all'), KINDS.map((k) => option({ key: k, value: k }, k)))),
      label({ class: 'field' }, span('Job'), select({ name: 'job', value: filter.job, onChange: choose('job') }, option({ value: '' }, 'all'), [...state.jobs.keys()].map((id) => option({ key: id, value: id }, id)))),
      label({ class: 'field' }, span('Partition'), select({ name: 'partition', value: filter.partition, onChange: choose('partition') }, option({ value: '' }, 'all'), [0, 1, 2, 3].map((n) => option({ key: n, value: n }, n)))),
      label({ class: 'field' }, span('From offset'), input({ name: 'from', inputmode: 'numeric', value: from ?? filter.from, placeholder: 'newest first', onInput: (event) => this.setState({ from: event.target.value }), onChange: this.done })),
      label({ class: 'field' }, span('From time, ', zone === 'UTC' ? 'UTC' : moment(Date.now(), zone).zone), input({ name: 'since', value: shownSince, placeholder: 'YYYY-MM-DD HH:MM', 'aria-invalid': wrong, onInput: onSince })),
      label({ class: 'check' }, input({ type: 'checkbox', name: 'steps', checked: filter.steps === 'true', onChange: (event) => set({ steps: event.target.checked ? 'true' : null }) }), span('also plain steps')),
      wrong && p({ class: 'dim', role: 'alert' }, 'A time is written YYYY-MM-DD HH:MM:SS.'));
  }
}

const extents = (page) =>
  page && span({ class: 'dim' }, page.extents.filter((e) => e.end > e.first).map((e) => `partition ${e.partition}: ${count(e.first)}–${count(e.end - 1)}`).join(' · ') || 'empty');

function outside(page, filter) {
  if (!page || page.outside.length === 0 || page.extents.length > page.outside.length) return null;
  return div({ class: 'problem', role: 'alert' },
    `Offset ${filter.from} is not kept. `,
    page.outside.map((e) => `Partition ${e.partition} holds ${e.end > e.first ? `${count(e.first)} to ${count(e.end - 1)}` : 'nothing'}`).join('; '), '.');
}

function item(row, state) {
  const at = moment(row.atMs, state.prefs.zone);
  return li({ key: `${row.log} ${row.partition} ${row.offset}`, class: `row ${row.tone.toLowerCase()}`, 'data-offset': row.offset, 'data-partition': row.partition },
    time({ class: 'when', dateTime: new Date(row.atMs).toISOString(), title: dateTime(row.atMs, state.prefs.zone) }, span(at.clock), span({ class: 'dim' }, `${at.date} ${at.zone}`)),
    span({ class: 'sign', 'aria-hidden': 'true' }, TONE_SIGNS[row.tone]),
    div({ class: 'what' },
      div(span({ class: 'kind' }, row.kind), ' ', row.text),
      row.refusals.length > 0 ? row.refusals.map((r) => refusal(r)) : row.reason && div({ class: 'reason' }, `because ${row.reason}`),
      row.more.map((text) => div({ key: text, class: 'reason' }, text))),
    div({ class: 'place dim', title: row.eventId ? `event ${row.eventId}` : undefined },
      `${row.partition}@${row.offset}`,
      row.job && row.step !== null && state.jobs.has(row.job) ? a({ href: momentInCurves(row.job, row.step), 'aria-label': `Step ${row.step} in the curves` }, 'curves') : null,
      row.journalOffset !== null && row.key === state.health?.pool ? a({ href: asItWas(row.journalOffset), 'aria-label': `The pool as it was at offset ${row.journalOffset}` }, 'as it was') : null));
}
