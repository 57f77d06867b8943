// All jobs of the pool, running first.
import { a, div, h2, li, nav, span, ul } from '/js/dom.js';
import { count, duration, quantity } from '/js/format.js';
import { here } from '/js/routes.js';
import { jobsInOrder } from '/js/store.js';

export const PHASE_SIGNS = { RUNNING: '▶', STARTING: '◌', WAITING: '…', PAUSED: '❚❚', STOPPED: '■', COMPLETED: '✓' };

export const phaseBadge = (phase) =>
  span({ class: `badge ${phase.toLowerCase()}` }, span({ 'aria-hidden': 'true' }, PHASE_SIGNS[phase] ?? '?'), ` ${phase.toLowerCase()}`);

export function progressBar(job) {
  const { step, maxSteps } = job.progress;
  const percent = maxSteps > 0 ? Math.min(100, (100 * step) / maxSteps) : 0;
  return div({ class: 'bar', role: 'progressbar', 'aria-label': `Progress of ${job.id}`, 'aria-valuemin': 0, 'aria-valuemax': maxSteps, 'aria-valuenow': step },
    div({ class: `bar-fill ${job.phase.toLowerCase()}`, style: { width: `${percent}%` } }));
}

export function jobList(state) {
  const jobs = jobsInOrder(state);
  if (jobs.length === 0 || !here().route?.job) return null; // the overview has them all
  return nav({ class: 'jobs', 'aria-label': 'Jobs' },
    h2({ class: 'jobs-title' }, `Jobs`, span({ class: 'dim' }, ` ${jobs.length}`)),
    ul(jobs.map((job) => li({ key: job.id }, item(state, job)))));
}

function item(state, job) {
  const selected = job.id === state.selected;
  const { step, maxSteps, loss, lossText, etaMs } = job.progress;
  return a({ class: `job-item ${selected ? 'selected' : ''}`, href: `#/jobs/${encodeURIComponent(job.id)}`, 'aria-current': selected ? 'page' : undefined },
    div({ class: 'job-line' }, span({ class: 'job-name' }, job.id), phaseBadge(job.phase)),
    progressBar(job),
    div({ class: 'job-line dim' },
      span(`${count(step)} / ${count(maxSteps)}`),
      span(`loss ${loss === null ? lossText || '–' : quantity(loss)}`),
      span(job.phase === 'RUNNING' && etaMs !== null ? `${duration(etaMs)} left` : '')));
}
