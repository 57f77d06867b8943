// What stands where there is nothing: what was looked at, where, and what to do next. Each case has its own words.
import { a, code, dd, div, dl, dt, h2, p, strong } from '/js/dom.js';
import { count, dateTime, plural } from '/js/format.js';

/** more: further [name, value] pairs of what was looked at. */
export function source(state, more = []) {
  const { health, prefs } = state;
  if (!health) return null;
  return dl({ class: 'source' },
    dt('Broker'), dd(code(health.source.bootstrap)),
    dt('Topics'), dd(health.source.topics.map((t, i) => [i > 0 ? ', ' : '', code(t)])),
    dt('Pool'), dd(code(health.pool)),
    more.map(([name, value]) => [dt(name), dd(code(value))]),
    dt('Last event'), dd(health.lastEventAtMs ? dateTime(health.lastEventAtMs, prefs.zone) : 'none yet'));
}

const card = (state, title, ...words) => div({ class: 'card empty' }, h2(title), ...words, source(state));

export function emptyJobs(state) {
  const { health } = state;
  if (health?.status === 'unreachable') {
    return card(state, 'Broker not reachable',
      p(`${health.problem}. Whether this pool has jobs is not known.`),
      p('Start the broker, or start the web UI with the right ', code('--bootstrap'), '. This page goes on by itself.'));
  }
  if (health?.status === 'catching-up') {
    return health.lagTotal > 0
      ? card(state, 'Reading the log', p(`${plural(health.lagTotal, 'record')} to go. Jobs appear as they are read.`))
      : card(state, 'Looking for the log', p('The broker has not answered yet. If this stays, check its address and that it runs.'));
  }
  return card(state, 'No job in this pool yet',
    p('The log was read to its end and holds no job. Start one:'),
    p(code('myolotrain job submit'), ' or ', code('myolotrain demo')));
}

export const emptyUnknownJob = (state) =>
  card(state, `No job “${state.selected}” in pool ${state.health?.pool ?? ''}`,
    p(state.health?.status === 'catching-up'
      ? 'The log is still being read; the job may yet appear.'
      : state.jobs.size > 0 ? 'Choose one from the list, or look at another pool’s server.' : 'This pool has no job at all. Another pool has its own server.'));

export function emptySeries(state, job, what) {
  const words = {
    WAITING: `The job waits for workers: ${job.phaseReason || 'no plan yet'}. Start one with`,
    STARTING: 'The first plan is being prepared; the first step brings the first point.',
    RUNNING: 'Waiting for the first event of this metric.',
    PAUSED: 'The job is paused. Resume it to go on.',
  }[job.phase] ?? 'The job is over and reported none.';
  const since = job.generations.length > 0 ? `Job runs since ${dateTime(job.generations[0].atMs, state.prefs.zone)}. ` : '';
  return div({ class: 'empty-chart' },
    strong(`No ${what} yet`),
    p(words, job.phase === 'WAITING' && [' ', code('myolotrain worker'), '.']),
    p({ class: 'dim' }, `${since}Job accepted ${job.acceptedAtMs ? dateTime(job.acceptedAtMs, state.prefs.zone) : 'before the kept log'}. Looked at ${state.health?.source.topics.join(', ') ?? ''} on ${state.health?.source.bootstrap ?? ''}.`));
}

/** A filter that nothing passes. what: of which nothing is left; reset: address without the filter. */
export const emptyFilter = (state, what, text, looked, reset) =>
  div({ class: 'empty' },
    p(strong(`None of ${what} matches “${text}”.`), ' Clear the filter, or look further back.'),
    reset && p(a({ href: reset }, 'Show all')),
    source(state, looked));

/** What could not be read for a view. */
export const problemCard = (problem) =>
  problem ? div({ class: 'problem', role: 'alert' }, strong(problem.rule), ` (${problem.value}). `, problem.nextStep) : null;

/** Over the views of a run whose past is still being read: what is shown is not all there is. */
export function runUnread(unread) {
  if (!unread) return null;
  const upTo = unread.upToStep < 0 ? 'looking for its begin' : `up to step ${count(unread.upToStep)}`;
  return unread.problem
    ? div({ class: 'band', role: 'alert' }, strong('What was measured before cannot be read'), `: ${unread.problem}. Read ${upTo}. It is tried again when you open the run again.`)
    : div({ class: 'band quiet', role: 'status' }, strong('Reading what was measured before'), `: ${upTo}. `, 'What is shown is not all there is yet.');
}

/** A band over everything while the log can't be read: what is shown is old then, and says so. */
export function sourceProblem(state) {
  const { health, prefs } = state;
  if (health?.status !== 'unreachable') return null;
  return div({ class: 'band', role: 'alert' },
    strong('Broker not reachable'),
    ` at ${health.source.bootstrap}: ${health.problem}. What is shown is from `,
    health.lastEventAtMs ? dateTime(health.lastEventAtMs, prefs.zone) : 'before the first event',
    '. Start the broker; this page goes on by itself.');
}
