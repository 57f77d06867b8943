// All metrics of a job: grouped, searched and paged on the server; only charts in sight ask for points.
import { a, button, Component, div, form, h, h2, input, label, li, nav, p, section, span, ul } from '/js/dom.js';
import * as api from '/js/api.js';
import { count, plural, quantity } from '/js/format.js';
import { Resource } from '/js/resource.js';
import { here, link, setParams } from '/js/routes.js';
import { chart } from '/js/views/charts.js';
import { emptyFilter, emptySeries, problemCard } from '/js/views/empty.js';

const PAGE = 48;
const SEARCH_AFTER_MS = 60;
const AGAIN_MS = 2_000; // a chart in sight is read again at most so often
const POINTS_SMALL = 300;

export class metricPage extends Component {
  constructor() {
    super();
    this.names = new Resource(() => this.setState({}));
  }

  componentWillUnmount() {
    this.names.drop();
  }

  set = (values) => {
    setParams({ after: null, ...values });
    this.setState({});
  };

  render({ state, actions, job }) {
    const { params } = here();
    const ask = { q: params.get('q'), prefix: params.get('prefix'), after: params.get('after') };
    this.names.wantSoon(`/api/jobs/${encodeURIComponent(job.id)}/series?${api.query({ ...ask, limit: PAGE })}`, this.names.path === null ? 0 : SEARCH_AFTER_MS);
    const chosen = params.get('name');
    const names = this.names.value;
    return div({ class: 'job' },
      chosen && h(metricChart, { key: chosen, state, actions, job, name: chosen, close: () => this.set({ name: null }) }),
      section({ class: 'card', 'aria-labelledby': 'metrics-title' },
        div({ class: 'card-head' },
          h2({ id: 'metrics-title' }, 'Metrics ', span({ class: 'dim', 'data-total': names?.total }, names ? count(names.total) : '')),
          form({ class: 'search', role: 'search', onSubmit: (event) => event.preventDefault() },
            label(span({ class: 'hidden' }, 'Search metrics'), input({ type: 'search', name: 'q', placeholder: 'Search: layer.3, norm, comm…', value: ask.q ?? '', onInput: (event) => this.set({ q: event.target.value }) })))),
        crumbs(ask.prefix ?? '', this.set),
        problemCard(this.names.problem),
        names && groups(names, this.set),
        names && names.names.length === 0
          ? ask.q || ask.prefix
            ? emptyFilter(state, `the metrics of ${job.id}`, [ask.prefix, ask.q].filter(Boolean).join(' '), [['Job', `${job.id}, attempt ${job.attempt}`]], link(`/jobs/${encodeURIComponent(job.id)}/metrics`))
            : emptySeries(state, job, 'metric')
          : ul({ class: 'metric-grid' }, (names?.names ?? []).map((name) => h(metricTile, { key: name.name, state, job, name, open: () => this.set({ name: name.name, after: ask.after }) }))),
        names && div({ class: 'pages' },
          ask.after && button({ type: 'button', class: 'secondary', onClick: () => this.set({ after: null }) }, 'First page'),
          names.next && button({ type: 'button', class: 'secondary', onClick: () => this.set({ after: names.next }) }, `Next ${PAGE}`))));
  }
}

function crumbs(prefix, set) {
  const parts = prefix.split('.').filter(Boolean);
  if (parts.length === 0) return null;
  return nav({ class: 'crumbs', 'aria-label': 'Group' },
    button({ type: 'button', class: 'link', onClick: () => set({ prefix: null }) }, 'all'),
    parts.map((part, at) => [' . ', button({ key: at, type: 'button', class: 'link', onClick: () => set({ prefix: `${parts.slice(0, at + 1).join('.')}.` }) }, part)]));
}

function groups(names, set) {
  if (names.groups.length === 0) return null;
  return ul({ class: 'groups', 'aria-label': 'Groups' }, names.groups.map((group) => li({ key: group.prefix },
    button({ type: 'button', class: 'chip', onClick: () => set({ prefix: group.prefix }) }, group.prefix, span({ class: 'dim' }, ` ${count(group.names)}`)))));
}

/** One metric in small: minimum to maximum by pixel column, last value. Asks when it is in sight. */
class metricTile extends Component {
  componentDidMount() {
    this.watch = new IntersectionObserver(([entry]) => {
      clearInterval(this.timer);
      if (!entry.isIntersecting) return;
      this.load();
      this.timer = setInterval(() => this.props.job.phase === 'RUNNING' && this.load(), AGAIN_MS);
    });
    this.watch.observe(this.base);
  }

  componentWillUnmount() {
    clearInterval(this.timer);
    this.watch.disconnect();
  }

  async load() {
    const { job, name } = this.props;
    try {
      this.view = await api.get(`/api/jobs/${encodeURIComponent(job.id)}/series?${api.query({ name: name.name, points: POINTS_SMALL })}`);
      this.draw();
    } catch (error) {
      if (!(error instanceof api.Refused) && !(error instanceof TypeError)) throw error;
    }
  }

  componentDidUpdate() {
    this.draw();
  }

  draw() {
    const to = this.base?.querySelector('canvas');
    if (!to || !this.view) return;
    const ratio = devicePixelRatio;
    to.width = to.clientWidth * ratio;
    to.height = to.clientHeight * ratio;
    drawSmall(to, this.view.main, getComputedStyle(to).color);
    to.dataset.points = this.view.main.steps.length;
  }

  render({ name, open }) {
    return li({ class: 'metric-tile' },
      button({ type: 'button', onClick: open, 'aria-label': `${name.name}, last value ${name.last === null ? 'not finite' : quantity(name.last)} at step ${name.lastStep}` },
        span({ class: 'metric-name', title: name.name }, name.name),
        h('canvas', { 'aria-hidden': 'true' }),
        span({ class: 'metric-last' }, name.last === null ? 'not finite' : quantity(name.last), span({ class: 'dim' }, ` step ${count(name.lastStep)}`))));
  }
}

function drawSmall(canvas, main, colour) {
  const ctx = canvas.getContext('2d');
  const { width, height } = canvas;
  const finite = main.min.filter((x) => x !== null);
  if (finite.length === 0) return;
  const low = finite.reduce((x, y) => Math.min(x, y));
  const high = main.max.reduce((x, y) => (y === null ? x : Math.max(x, y)), -Infinity);
  const range = high - low || 1;
  const from = main.firstSteps[0];
  const span = Math.max(1, main.steps[main.steps.length - 1] - from);
  const y = (value) => height - 3 - ((value - low) / range) * (height - 6);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  if (main.steps.length === 1) {
    ctx.arc(width / 2, height / 2, 3 * devicePixelRatio, 0, 7);
    ctx.stroke();
    return;
  }
  let pen = false;
  for (let at = 0; at < main.steps.length; at++) {
    if (main.last[at] === null) {
      pen = false; // what is not finite is a gap
      continue;
    }
    const x = ((main.steps[at] - from) / span) * (width - 4) + 2;
    if (!pen) ctx.moveTo(x, y(main.last[at]));
    if (main.min[at] !== main.max[at]) {
      ctx.lineTo(x, y(main.min[at]));
      ctx.lineTo(x, y(main.max[at]));
    }
    ctx.lineTo(x, y(main.last[at]));
    pen = true;
  }
  ctx.stroke();
}

/** One metric in full, with as many points as the screen has columns. */
class metricChart extends Component {
  constructor() {
    super();
    this.series = new Resource(() => this.setState({ version: (this.state.version ?? 0) + 1 }));
    this.state = { range: null, log: false, smooth: 0 };
  }

  componentDidMount() {
    this.timer = setInterval(() => this.props.job.phase === 'RUNNING' && !this.state.range && this.series.want(this.series.path, true), AGAIN_MS);
    this.base?.scrollIntoView?.({ block: 'nearest' });
  }

  componentWillUnmount() {
    clearInterval(this.timer);
    this.series.drop();
  }

  render({ state, actions, job, name, close }, { range, version, log, smooth }) {
    const columns = Math.max(200, Math.min(5_000, Math.round(Math.min(innerWidth, 2_400))));
    this.series.want(`/api/jobs/${encodeURIComponent(job.id)}/series?${api.query({ name, points: columns, from: range?.from, to: range?.to })}`);
    const view = this.series.value;
    const set = (values) => this.setState(values);
    return div({ class: 'metric-full', 'data-name': name },
      div({ class: 'chart-tools' },
        label({ class: 'inline check' }, input({ type: 'checkbox', checked: log, onChange: (event) => set({ log: event.target.checked }) }), span('Log scale')),
        label({ class: 'inline check' }, input({ type: 'checkbox', checked: smooth > 0, onChange: (event) => set({ smooth: event.target.checked ? 0.9 : 0 }) }), span('Smooth')),
        button({ type: 'button', class: 'secondary', onClick: close }, 'Close')),
      problemCard(this.series.problem),
      view && chart({
        label: `${name} of ${job.id}`, spec: { name, title: name, unit: '', format: quantity, colour: '--series-1' },
        runs: [{ label: job.id, colour: '--series-1', view, version }], also: null, marks: job.generations, range, mark: null,
        options: { log, smooth }, theme: state.prefs.theme, zone: state.prefs.zone, empty: emptySeries(state, job, name), onZoom: (next) => set({ range: next }), onMark: actions.showMark,
      }));
  }
}
