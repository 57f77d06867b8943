// What the page knows, and how each message changes it. No DOM here.

export const EVENTS_SHOWN_MAX = 500;
const REREAD_MIN_MS = 2_000;
const POINTS_MAX = 6_000; // then the server's thinned window is asked for again

export const initial = () => ({
  connection: { state: 'connecting', retryAtMs: null },
  loaded: false,
  clockSkewMs: 0,
  pool: null,
  jobs: new Map(),
  events: [],
  eventsMore: false,
  changes: new Map(),
  health: null,
  series: new Map(), // name -> {view, version, readAtMs} of the selected job
  compared: new Map(), // 'job~attempt name' -> {view, version}
  runs: [], // what can be compared
  unread: new Map(), // 'job~attempt' -> {upToStep, problem} of runs whose past is not read to its end
  range: null, // {from, to}: steps that all charts of the run show
  mark: null, // step that a link points at
  chartOptions: { log: false, smooth: 0 },
  selected: null,
  notice: null,
});

/** A point of a series that the page does not show now. */
const beyond = (range, step) => range !== null && step > range.to;

export function fromState(state, body) {
  state.loaded = true;
  state.clockSkewMs = body.health.nowMs - Date.now();
  state.pool = body.pool;
  state.health = body.health;
  state.jobs = new Map(body.jobs.map((job) => [job.id, job]));
  state.events = body.events.rows;
  state.eventsMore = body.events.more;
  state.changes = new Map(body.changes.map((change) => [change.eventId, change]));
}

/** The past of a run is read further; of one that is read to its end nothing is kept. */
export function readTo(state, { job, attempt }, unread) {
  if (unread) state.unread.set(`${job}~${attempt}`, unread);
  else state.unread.delete(`${job}~${attempt}`);
}

export const unreadOf = (state, job) => state.unread.get(`${job.id}~${job.attempt}`);

/** @returns {string|null} 'state', 'series' or 'run' when the server must be asked again */
export function fromMessage(state, type, body) {
  switch (type) {
    case 'pool':
      state.pool = body;
      return null;
    case 'jobs': // those that are left
      state.jobs = new Map([...state.jobs].filter(([id]) => body.ids.includes(id)));
      return null;
    case 'job': {
      const first = state.jobs.size === 0; // nothing is selected yet: choose, and watch its series
      state.jobs.set(body.id, body);
      return first ? 'state' : null;
    }
    case 'progress': {
      const job = state.jobs.get(body.job);
      if (job) state.jobs.set(body.job, { ...job, progress: body.progress });
      return job ? null : 'state';
    }
    case 'events':
      state.events = [...body.rows, ...state.events].slice(0, EVENTS_SHOWN_MAX);
      return null;
    case 'change':
      state.changes.set(body.eventId, body);
      return null;
    case 'health':
      state.health = body;
      state.clockSkewMs = body.nowMs - Date.now();
      return null;
    case 'points':
      return appendPoints(state, body);
    case 'run':
      readTo(state, body, body.complete ? null : body);
      return 'run';
    case 'reset':
      return 'state';
    default:
      return null; // a newer server may tell more
  }
}

function appendPoints(state, { job, attempt, name, points }) {
  const held = state.series.get(name);
  if (state.selected !== job || !held) return null;
  if (held.view.attempt !== attempt || held.view.main.steps.length > POINTS_MAX) return 'series';
  const { main } = held.view;
  const end = main.steps.length ? main.steps[main.steps.length - 1] : -1;
  const fresh = points.steps.findIndex((step) => step > end);
  if (fresh !== 0) {
    // A step that is told again, or told late, changes what stands already: only the server knows how. Just after the
    // series was read it is only what the answer held before the stream told it.
    if (Date.now() - held.readAtMs > REREAD_MIN_MS) return 'series';
    if (fresh < 0) return null;
  }
  if (beyond(state.range, points.steps[fresh])) return null; // counted again when the range is left
  const offset = main.steps.length - fresh;
  for (const column of Object.keys(main)) {
    if (column !== 'odd') main[column].push(...points[column].slice(fresh));
  }
  for (const [at, kind] of Object.entries(points.odd)) {
    if (+at >= fresh) main.odd[+at + offset] = kind;
  }
  const nonFinite = points.nonFinite.slice(fresh);
  held.view.readings += nonFinite.length;
  const bad = nonFinite.findIndex((n) => n > 0);
  if (bad >= 0) {
    held.view.nonFinite += nonFinite.reduce((sum, n) => sum + n, 0);
    held.view.firstNonFiniteStep ??= points.steps[fresh + bad];
  }
  held.version++;
  return null;
}

export const jobsInOrder = (state) => {
  const order = { RUNNING: 0, STARTING: 1, WAITING: 2, PAUSED: 3, COMPLETED: 4, STOPPED: 5 };
  return [...state.jobs.values()].sort((x, y) => order[x.phase] - order[y.phase] || (x.id < y.id ? -1 : 1));
};

export const changesOf = (state, job) =>
  [...state.changes.values()].filter((c) => c.job === job).sort((x, y) => y.publishedAtMs - x.publishedAtMs);

export const nowMs = (state) => Date.now() + state.clockSkewMs;
