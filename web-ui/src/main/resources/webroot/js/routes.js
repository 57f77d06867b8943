// Which view stands behind which address. A new view is one module and one line here.
import { jobPage } from '/js/views/job-page.js';

export const ROUTES = [
  { pattern: /^\/jobs\/([^/]+)$/, name: 'live', label: 'Live', path: (job) => `#/jobs/${job}`, view: jobPage },
];

/** {path, params, route, match} of the address's fragment: #/jobs/demo?q=refused */
export function here() {
  const [path, search = ''] = location.hash.replace(/^#/, '').split('?', 2);
  const params = new URLSearchParams(search);
  for (const route of ROUTES) {
    const match = route.pattern.exec(path);
    if (match) return { path, params, route, job: decodeURIComponent(match[1]) };
  }
  return { path: path || '/', params, route: null, job: null };
}

/** Writes the filter into the address without a new entry in the history. */
export function setParam(name, value) {
  const { path, params } = here();
  if (value) params.set(name, value);
  else params.delete(name);
  const search = params.toString();
  history.replaceState(null, '', `#${path}${search ? `?${search}` : ''}`);
}
