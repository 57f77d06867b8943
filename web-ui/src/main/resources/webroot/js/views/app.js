// The frame: header, job list, and the view that the address names.
import { a, button, code, dd, div, dl, dt, form, h, h1, h2, header, img, input, label, li, main, nav, p, span, strong, ul } from '/js/dom.js';
import { count, duration, plural } from '/js/format.js';
import { here, ROUTES } from '/js/routes.js';
import { emptyUnknownJob, runUnread, sourceProblem } from '/js/views/empty.js';
import { unreadOf } from '/js/store.js';
import { jobList } from '/js/views/job-list.js';

export function app({ state, actions }) {
  if (state.connection.state === 'unauthorized') return signIn(state, actions);
  const { route } = here();
  const job = state.selected ? state.jobs.get(state.selected) : null;
  return div({ class: 'frame' },
    a({ class: 'skip', href: '#main', onClick: skip }, 'Skip to content'),
    top(state, actions),
    sourceProblem(state),
    state.loaded
      ? div({ class: 'body' },
          jobList(state, actions),
          main({ id: 'main', class: 'main', tabIndex: -1 },
            job && views(route, job),
            job && route?.job && runUnread(unreadOf(state, job)),
            content(state, actions, route, job)))
      : main({ id: 'main', class: 'main', tabIndex: -1 }, loading(state)));
}

function content(state, actions, route, job) {
  if (!route) {
    return div({ class: 'card empty' }, h2('No such view'), p(code(location.hash), ' names none of this page’s views.'), p(a({ href: '#/' }, 'Go to the overview')));
  }
  if (!route.job) return h(route.view, { state, actions });
  return job ? h(route.view, { key: `${route.name} ${job.id} ${job.attempt}`, state, actions, job }) : emptyUnknownJob(state);
}

/** The views of one job. */
const views = (current, job) =>
  nav({ class: 'tabs', 'aria-label': `Views of ${job.id}` },
    ROUTES.filter((route) => route.job).map((route) => a({ key: route.name, href: route.path(job.id), 'aria-current': route === current ? 'page' : undefined }, route.label)));

function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function top(state, actions) {
  const { pool, health, prefs } = state;
  return header({ class: 'top' },
    div({ class: 'brand' }, img({ src: '/img/mark.svg', alt: '', width: 28, height: 28 }), h1('Myolotrain')),
    nav({ class: 'tabs', 'aria-label': 'Views' }, ROUTES.filter((route) => !route.job).map((route) => a({ key: route.name, href: route.path(), 'aria-current': route === here().route ? 'page' : undefined }, route.label))),
    pool && ul({ class: 'facts', 'aria-label': 'Pool' },
      fact('Pool', pool.id),
      fact('Workers', count(pool.workers.length)),
      fact('Members', count(pool.members)),
      pool.joining > 0 && fact('Joining', count(pool.joining)),
      pool.draining > 0 && fact('Draining', count(pool.draining)),
      fact('Standby', count(pool.standby)),
      health && fact('Rejected', count(health.deadLetters.count), health.deadLetters.count > 0 ? 'warn' : '',
        health.deadLetters.latest.map((d) => `${d.topic} at offset ${d.offset}: ${d.reason}`).join('\n'))),
    div({ class: 'tools' },
      connection(state),
      button({ class: 'tool', type: 'button', title: 'Show times in UTC or in this browser’s zone', onClick: () => { prefs.toggleZone(); actions.changed(); } },
        prefs.zone === 'UTC' ? 'UTC' : 'Local time'),
      button({ class: 'tool', type: 'button', 'aria-label': `Use the ${prefs.theme === 'dark' ? 'light' : 'dark'} theme`, onClick: () => { prefs.toggleTheme(); actions.changed(); } },
        prefs.theme === 'dark' ? '☀' : '☾')));
}

const fact = (name, value, tone = '', title = undefined) =>
  li({ class: `fact ${tone}`, title }, span({ class: 'fact-name' }, name), strong(value));

function connection(state) {
  const { state: name, retryAtMs } = state.connection;
  const { health } = state;
  if (name === 'live') {
    if (health?.status === 'catching-up') return pill('busy', health.lagTotal > 0 ? `Reading history, ${plural(health.lagTotal, 'record')} to go` : 'Looking for the log');
    if (health?.status === 'unreachable') return pill('bad', 'Broker not reachable');
    return pill('good', 'Live');
  }
  if (name === 'retrying') return pill('bad', `Reconnecting in ${duration(Math.max(0, retryAtMs - Date.now()))}`);
  return pill('busy', 'Connecting');
}

const pill = (tone, text) => span({ class: `pill ${tone}`, role: 'status' }, span({ class: 'dot', 'aria-hidden': 'true' }), text);

const loading = (state) =>
  div({ class: 'card empty' },
    h2(state.connection.state === 'retrying' ? 'The server does not answer' : 'Reading the state'),
    p(state.connection.state === 'retrying'
      ? `Looked at ${location.origin}. Start the web UI again, or check the address; this page goes on by itself.`
      : `From ${location.origin}/api/state.`));

function signIn(state, actions) {
  const submit = (event) => {
    event.preventDefault();
    actions.token(event.target.elements.token.value.trim());
  };
  return main({ class: 'sign-in' },
    form({ class: 'card', onSubmit: submit },
      h1('Token needed'),
      p('This server was started with a token. Enter it, or open the address that the server printed.'),
      label({ class: 'field' }, span('Token'), input({ name: 'token', type: 'password', required: true, autocomplete: 'off' })),
      button({ class: 'primary', type: 'submit' }, 'Continue')));
}
