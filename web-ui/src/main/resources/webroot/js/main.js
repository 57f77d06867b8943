// Starts the page: reads the state, follows the stream, renders after each change.
import { h, render } from '/js/dom.js';
import * as api from '/js/api.js';
import { Stream } from '/js/stream.js';
import { fromMessage, fromState, initial, jobsInOrder } from '/js/store.js';
import { here, setParam } from '/js/routes.js';
import { app } from '/js/views/app.js';
import { preferences } from '/js/preferences.js';

const SERIES_SHOWN = ['job.loss', 'job.tokensPerSecond', 'eval.loss'];
const POINTS_ASKED = 2_000;
const RELOAD_MIN_MS = 1_000; // resets may come in bursts while history is read

const root = document.getElementById('app');
const state = { ...initial(), prefs: preferences, query: here().params.get('q') ?? '', form: null };
let drawing = false;
let reloadAtMs = 0;
let reloadTimer = null;
const loading = new Set(); // series that are being asked for

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
    const ask = fromMessage(state, type, body);
    if (ask === 'state') reloadSoon();
    if (ask === 'series') loadSeries(body.name);
    if (type === 'job') jobTold(body);
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
    choose();
    stream.start(body.position, watched());
    await Promise.all(SERIES_SHOWN.map(loadSeries));
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
  if (job.id === state.selected && state.series.get(SERIES_SHOWN[0])?.view.attempt !== job.attempt) {
    SERIES_SHOWN.forEach(loadSeries);
  }
}

function follow() {
  SERIES_SHOWN.forEach(loadSeries);
  stream.start('', watched()); // '' keeps the last id
}

const watched = () => ({ job: state.selected, series: SERIES_SHOWN.join(',') });

/** The job of the address, else the first that runs. */
function choose() {
  const asked = here().job;
  if (!asked && state.jobs.size > 0) {
    history.replaceState(null, '', `#/jobs/${jobsInOrder(state)[0].id}`);
  }
  const next = here().job;
  if (next !== state.selected) {
    state.selected = next;
    state.series = new Map();
    state.form = null;
    state.notice = null;
  }
}

async function loadSeries(name) {
  const job = state.selected;
  if (!job || !state.jobs.has(job)) return;
  const key = `${job} ${name}`;
  if (loading.has(key)) return;
  loading.add(key);
  const zoom = state.series.get(name)?.zoom ?? null;
  const search = api.query({ name, points: POINTS_ASKED, from: zoom?.from, to: zoom?.to });
  try {
    const view = await api.get(`/api/jobs/${encodeURIComponent(job)}/series?${search}`);
    if (state.selected === job) {
      const version = (state.series.get(name)?.version ?? 0) + 1;
      state.series.set(name, { view, zoom: state.series.get(name)?.zoom ?? null, version, readAtMs: Date.now() });
    }
  } catch (error) {
    if (error.status !== 404 && !(error instanceof TypeError)) throw error; // gone, or away: the stream tells
  } finally {
    loading.delete(key);
  }
  changed();
}

const actions = {
  changed,
  select(job) {
    location.hash = `#/jobs/${encodeURIComponent(job)}`;
  },
  filter(text) {
    state.query = text;
    setParam('q', text);
    changed();
  },
  zoom(name, range) {
    const held = state.series.get(name);
    if (!held) return;
    held.zoom = range;
    loadSeries(name);
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
  const before = state.selected;
  choose();
  state.query = here().params.get('q') ?? '';
  if (state.selected !== before) follow();
  changed();
});

// Ages ("3 s ago") and the count-down to the next try move without messages.
setInterval(changed, 1_000);

api.takeTokenFromAddress();
preferences.apply();
root.replaceChildren();
changed();
load();
