// Starts the page: reads the state, follows the stream, renders after each change.
import { h, render } from '/js/dom.js';
import * as api from '/js/api.js';
import { Stream } from '/js/stream.js';
import { fromMessage, fromState, initial, readTo } from '/js/store.js';
import { Resource } from '/js/resource.js';
import { here, link, setParams } from '/js/routes.js';
import { app } from '/js/views/app.js';
import { preferences } from '/js/preferences.js';
import { SERIES_OF_RUN } from '/js/views/run-charts.js';

const POINTS_ASKED = 2_000;
const COMPARED_MAX = 4; // further runs would not be told apart
const RELOAD_MIN_MS = 1_000; // resets may come in bursts while history is read
const COMPARED_AGAIN_MS = 2_000; // runs beside the job's own are read again at most so often

const root = document.getElementById('app');
const state = { ...initial(), prefs: preferences, query: '', form: null };
let drawing = false;
let reloadAtMs = 0;
let reloadTimer = null;
let comparedTimer = null;
let comparedRound = 0;
const loading = new Map(); // series that are being asked for -> asked once more meanwhile
const arriving = new Map(); // series that are being asked for -> points that were told meanwhile

function changed() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    render(h(app, { state, actions }), root);
  });
}

const stream = new Stream({
  message(type, body) {
    if (type === 'points') arriving.get(`${body.job} ${body.name}`)?.push(body);
    const ask = fromMessage(state, type, body);
    if (ask === 'state') reloadSoon();
    if (ask === 'series') loadSeries(body.name);
    if (ask === 'run') runRead(body);
    if (type === 'job') jobTold(body);
    if (type === 'progress') progressed(body.job);
    changed();
  },
  status(connection, retryAtMs = null) {
    state.connection = { state: connection, retryAtMs };
    changed();
  },
  unauthorized() {
    state.connection = { state: 'unauthorized', retryAtMs: null };
    changed();
  },
});

function reloadSoon() {
  if (reloadTimer) return;
  reloadTimer = setTimeout(load, Math.max(0, reloadAtMs + RELOAD_MIN_MS - Date.now()));
}

async function load() {
  reloadTimer = null;
  reloadAtMs = Date.now();
  try {
    const body = await api.get('/api/state');
    fromState(state, body);
    fromAddress();
    stream.start(body.position, watched());
    await Promise.all([...shown().map(loadSeries), loadCompared()]);
  } catch (error) {
    if (error.status === 401) {
      state.connection = { state: 'unauthorized', retryAtMs: null };
    } else {
      state.connection = { state: 'retrying', retryAtMs: Date.now() + 2_000 };
      clearTimeout(reloadTimer);
      reloadTimer = setTimeout(load, 2_000);
    }
  }
  changed();
}

/** The shown job appears, or starts a new attempt: its series are others. */
function jobTold(job) {
  if (job.id === state.selected && state.series.get(SERIES_OF_RUN[0])?.view.attempt !== job.attempt) {
    shown().forEach(loadSeries);
  }
}

/** Curves grow while a run's past is read; what else is shown of it is asked for again once all of it is. */
function runRead({ job, complete }) {
  if (job === state.selected) shown().forEach(loadSeries);
  if (!complete) return;
  Resource.askAgain();
  loadCompared();
}

/** A run that is compared goes on. */
function progressed(id) {
  const job = state.jobs.get(id);
  if (comparedTimer || !job || !comparedKeys().includes(`${id}~${job.attempt}`)) return;
  comparedTimer = setTimeout(() => {
    comparedTimer = null;
    loadCompared();
  }, COMPARED_AGAIN_MS);
}

/** Only the run view shows these series; the other views ask for their own. */
const shown = () => (here().route?.name === 'run' ? SERIES_OF_RUN : []);

const watched = () => ({ job: state.selected, series: shown().join(',') });

/** What the address says: the job, the steps, how the charts are drawn, what is compared. */
function fromAddress() {
  const { job, params, route } = here();
  if (job !== state.selected) {
    state.selected = job;
    state.series = new Map();
    state.form = null;
    state.notice = null;
  }
  state.route = route?.name ?? null;
  state.query = params.get('q') ?? '';
  const number = (name) => (/^\d+$/.test(params.get(name) ?? '') ? Number(params.get(name)) : null);
  const [from, to] = [number('from'), number('to')];
  state.range = route?.name === 'run' && from !== null && to !== null && to > from ? { from, to } : null;
  state.mark = number('mark');
  state.chartOptions = { log: params.get('log') === '1', smooth: Math.min(0.99, (number('smooth') ?? 0) / 100) };
}

const comparedKeys = () =>
  (here().params.get('compare') ?? '').split(',').filter(Boolean).slice(0, COMPARED_MAX);

async function loadSeries(name) {
  const job = state.selected;
  if (!job || !state.jobs.has(job)) return;
  const key = `${job} ${name}`;
  if (loading.has(key)) {
    loading.set(key, true);
    return;
  }
  loading.set(key, false);
  arriving.set(key, []);
  const { range } = state;
  let stale = false;
  try {
    const view = await api.get(`/api/jobs/${encodeURIComponent(job)}/series?${api.query({ name, points: POINTS_ASKED, from: range?.from, to: range?.to })}`);
    if (state.selected === job) {
      const version = (state.series.get(name)?.version ?? 0) + 1;
      state.series.set(name, { view, version, readAtMs: Date.now() });
      if (view.unread) readTo(state, view, view.unread);
      // The answer is as old as its way was long: what the stream told meanwhile belongs behind it.
      for (const points of arriving.get(key)) stale = fromMessage(state, 'points', points) === 'series' || stale;
    }
  } catch (error) {
    if (!(error instanceof api.Refused) && !(error instanceof TypeError)) throw error; // gone, or away: the stream tells
  } finally {
    const again = loading.get(key) || stale || range !== state.range;
    loading.delete(key);
    arriving.delete(key);
    if (again) loadSeries(name);
  }
  changed();
}

/** The other runs of a comparison: read again with each new range, and while they go on. The newest reading counts. */
async function loadCompared() {
  const round = ++comparedRound;
  const keys = shown().length > 0 ? comparedKeys() : [];
  const [runs, ...views] = await Promise.all([
    here().route?.name === 'run' ? orNothing(api.get('/api/runs')) : null,
    ...keys.flatMap((key) => SERIES_OF_RUN.map((name) => comparedSeries(key, name))),
  ]);
  if (round !== comparedRound) return;
  if (runs) state.runs = runs;
  state.compared = new Map(views.filter(Boolean).map(({ key, view }) => [key, { view, version: (state.compared.get(key)?.version ?? 0) + 1 }]));
  state.comparedKeys = keys;
  changed();
}

async function comparedSeries(run, name) {
  const [job, attempt] = run.split('~');
  const view = await orNothing(api.get(`/api/jobs/${encodeURIComponent(job)}/series?${api.query({ name, attempt, points: POINTS_ASKED, from: state.range?.from, to: state.range?.to })}`));
  return view && { key: `${run} ${name}`, view };
}

/** What is gone, or a server that is away, leaves nothing: the stream tells which. */
const orNothing = (answer) => answer.catch((error) => {
  if (error instanceof api.Refused || error instanceof TypeError) return null;
  throw error;
});

const actions = {
  changed,
  filter(text) {
    state.query = text;
    setParams({ q: text });
    changed();
  },
  /** The steps that every chart of the run shows; null = all. */
  zoom(range) {
    setParams({ from: range?.from, to: range?.to, ...(range ? {} : { mark: null }) });
    fromAddress();
    shown().forEach(loadSeries);
    loadCompared();
    changed();
  },
  /** How the charts are drawn: {log, smooth} */
  draw(options) {
    setParams({ log: options.log ? 1 : null, smooth: options.smooth ? Math.round(options.smooth * 100) : null });
    fromAddress();
    changed();
  },
  compare(keys) {
    setParams({ compare: keys.slice(0, COMPARED_MAX).join(',') });
    loadCompared();
    changed();
  },
  /** From a generation change on an axis to its entry in the log. */
  showMark(mark) {
    location.hash = link('/log', { at: mark.offset });
  },
  async older() {
    const oldest = state.events[state.events.length - 1];
    const page = await api.get(`/api/events?${api.query({ before: oldest?.id, limit: 100 })}`);
    state.events = [...state.events, ...page.rows];
    state.eventsMore = page.more;
    changed();
  },
  async publish(job, changes) {
    state.notice = { busy: true };
    changed();
    try {
      const { change } = await api.post(`/api/jobs/${encodeURIComponent(job)}/config`, { changes, requestedBy: 'web-ui' });
      if (!state.changes.has(change.eventId)) state.changes.set(change.eventId, change);
      state.notice = { sent: change.eventId };
      state.form = null;
    } catch (error) {
      state.notice = { problem: error.problem ?? { rule: 'the server must be reachable', value: String(error.message), nextStep: 'try again when the connection is back' } };
    }
    changed();
  },
  token(text) {
    api.setToken(text);
    load();
  },
};

addEventListener('hashchange', () => {
  const before = [state.selected, state.route].join(' ');
  const range = JSON.stringify(state.range);
  fromAddress();
  if ([state.selected, state.route].join(' ') !== before) {
    stream.start('', watched()); // '' keeps the last id
    document.getElementById('main')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  if ([state.selected, state.route].join(' ') !== before || JSON.stringify(state.range) !== range) {
    shown().forEach(loadSeries);
    loadCompared();
  }
  changed();
});

// Ages ("3 s ago") and the count-down to the next try move without messages.
setInterval(changed, 1_000);

api.takeTokenFromAddress();
preferences.apply();
root.replaceChildren();
fromAddress();
changed();
load();
