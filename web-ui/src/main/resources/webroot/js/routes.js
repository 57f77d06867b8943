// Which view stands behind which address. A new view is one module and one line here.
import { gradientPage } from '/js/views/gradient-page.js';
import { headPage } from '/js/views/head-page.js';
import { jobPage } from '/js/views/job-page.js';
import { logPage } from '/js/views/log-page.js';
import { metricPage } from '/js/views/metric-page.js';
import { overviewPage } from '/js/views/overview-page.js';
import { timelinePage } from '/js/views/timeline-page.js';

const ofJob = (suffix) => (job) => `#/jobs/${encodeURIComponent(job)}${suffix}`;

/** label: in the navigation; a view of a job gets the job, the others the whole state. */
export const ROUTES = [
  { pattern: /^\/$/, name: 'overview', label: 'Overview', path: () => '#/', view: overviewPage },
  { pattern: /^\/log$/, name: 'log', label: 'Log', path: () => '#/log', view: logPage },
  { pattern: /^\/jobs\/([^/]+)$/, name: 'run', label: 'Run', path: ofJob(''), view: jobPage, job: true },
  { pattern: /^\/jobs\/([^/]+)\/metrics$/, name: 'metrics', label: 'Metrics', path: ofJob('/metrics'), view: metricPage, job: true },
  { pattern: /^\/jobs\/([^/]+)\/gradients$/, name: 'gradients', label: 'Gradients', path: ofJob('/gradients'), view: gradientPage, job: true },
  { pattern: /^\/jobs\/([^/]+)\/heads$/, name: 'heads', label: 'Attention heads', path: ofJob('/heads'), view: headPage, job: true },
  { pattern: /^\/jobs\/([^/]+)\/timeline$/, name: 'timeline', label: 'Communication', path: ofJob('/timeline'), view: timelinePage, job: true },
];

/** {path, params, route, job} of the address's fragment: #/jobs/demo?from=10&to=20 */
export function here() {
  const [path, search = ''] = location.hash.replace(/^#/, '').split('?', 2);
  const params = new URLSearchParams(search);
  for (const route of ROUTES) {
    const match = route.pattern.exec(path || '/');
    if (match) return { path: path || '/', params, route, job: match[1] ? decodeURIComponent(match[1]) : null };
  }
  return { path: path || '/', params, route: null, job: null };
}

/** Writes into the address without a new entry in the history; null and '' remove. */
export function setParams(values) {
  const { path, params } = here();
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '' || value === false) params.delete(name);
    else params.set(name, String(value));
  }
  const search = params.toString();
  history.replaceState(null, '', `#${path}${search ? `?${search}` : ''}`);
}

export const link = (path, values = {}) => {
  const params = new URLSearchParams(Object.entries(values).filter(([, v]) => v !== null && v !== undefined && v !== ''));
  const search = params.toString();
  return `#${path}${search ? `?${search}` : ''}`;
};

/** The moment in the curves: a window of steps around a marked one. */
export function momentInCurves(job, step) {
  const around = Math.max(20, Math.round(step / 10));
  return link(`/jobs/${encodeURIComponent(job)}`, { from: Math.max(0, step - around), to: step + around, mark: step });
}

export const asItWas = (offset) => link('/log', { at: offset });
