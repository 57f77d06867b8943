// The pool, its plans and its curves as they were when the journal had been decided up to an offset.
import { a, button, Component, div, dd, dl, dt, h, h2, h3, input, label, li, p, section, span, ul } from '/js/dom.js';
import * as api from '/js/api.js';
import { count, dateTime, quantity } from '/js/format.js';
import { Resource } from '/js/resource.js';
import { here, link, momentInCurves, setParams } from '/js/routes.js';
import { chart } from '/js/views/charts.js';
import { problemCard } from '/js/views/empty.js';
import { phaseBadge } from '/js/views/job-list.js';
import { poolTable } from '/js/views/pool-table.js';

const SETTLE_MS = 120; // a slider that moves asks when it rests
const CURVE_POINTS = 1_000;

export class timeTravel extends Component {
  constructor() {
    super();
    this.extent = new Resource(() => this.setState({}));
    this.past = new Resource(() => this.setState({}));
    this.curve = new Resource(() => this.setState({ curveVersion: (this.state.curveVersion ?? 0) + 1 }));
  }

  componentDidMount() {
    this.extent.want('/api/history');
  }

  componentWillUnmount() {
    this.extent.drop();
    this.past.drop();
    this.curve.drop();
  }

  go = (at) => {
    setParams({ at });
    this.props.actions.changed();
    this.setState({});
  };

  render({ state, actions }, { curveVersion }) {
    const asked = here().params.get('at');
    const extent = this.past.value?.extent ?? this.extent.value;
    if (!extent || extent.lastOffset < 0) return null;
    const at = asked === null ? null : Number(asked);
    this.past.wantSoon(at === null ? null : `/api/history/${at}`, this.past.path === null ? 0 : SETTLE_MS);
    if (at === null) this.past.value = null;
    const past = this.past.value;
    const shown = at ?? extent.lastOffset;
    const step = (by) => this.go(Math.max(extent.firstOffset, Math.min(extent.lastOffset, shown + by)));
    return section({ class: 'card travel', 'aria-labelledby': 'travel-title' },
      div({ class: 'card-head' },
        h2({ id: 'travel-title' }, at === null ? 'As it is now' : 'As it was'),
        past && at !== null
          ? span({ class: 'readout', 'aria-live': 'polite' }, `offset ${count(past.offset)} · ${past.atMs ? dateTime(past.atMs, state.prefs.zone) : 'before the first decision'}`)
          : span({ class: 'dim' }, 'move the slider to look back')),
      div({ class: 'slider' },
        button({ type: 'button', 'aria-label': 'One entry back', onClick: () => step(-1) }, '◀'),
        label({ class: 'grow' }, span({ class: 'hidden' }, 'Journal offset'),
          input({ type: 'range', name: 'at', min: extent.firstOffset, max: extent.lastOffset, step: 1, value: shown, 'aria-valuetext': `offset ${shown}`, onInput: (event) => this.go(Number(event.target.value)) })),
        button({ type: 'button', 'aria-label': 'One entry on', onClick: () => step(1) }, '▶'),
        at !== null && button({ type: 'button', onClick: () => { this.extent.want('/api/history', true); this.go(null); } }, 'Now')),
      div({ class: 'slider-ends dim' },
        span(`${count(extent.firstOffset)} · ${dateTime(extent.firstAtMs, state.prefs.zone)}`),
        span(`${count(extent.lastOffset)} · ${dateTime(extent.lastAtMs, state.prefs.zone)}`)),
      problemCard(this.past.problem),
      at !== null && past && this.then(state, actions, past, curveVersion));
  }

  then(state, actions, past, curveVersion) {
    const chosen = past.jobs.find((job) => job.id === here().params.get('job')) ?? past.jobs.find((job) => job.progress.step > 0) ?? past.jobs[0];
    if (chosen && chosen.progress.step > 0) {
      const generation = chosen.plan?.generation ?? chosen.generations[chosen.generations.length - 1]?.generation ?? 0;
      this.curve.want(`/api/jobs/${encodeURIComponent(chosen.id)}/series?${api.query({ name: 'job.loss', attempt: chosen.attempt, to: chosen.progress.step, asOf: generation, points: CURVE_POINTS })}`);
    } else {
      this.curve.want(null);
    }
    const view = this.curve.value;
    return div({ class: 'then' },
      past.rows.length > 0 && ul({ class: 'then-rows' }, past.rows.map((row) => li({ key: row.id }, span({ class: 'kind' }, row.kind), ' ', row.text, row.reason && span({ class: 'dim' }, ` because ${row.reason}`)))),
      past.jobs.length === 0
        ? p({ class: 'dim' }, 'No job had been submitted.')
        : div({ class: 'then-jobs' }, past.jobs.map((job) => div({ key: job.id, class: 'then-job' },
            h3(job.id, ' ', phaseBadge(job.phase)),
            dl({ class: 'source' },
              dt('Step'), dd(job.progress.step > 0 ? a({ href: momentInCurves(job.id, job.progress.step) }, count(job.progress.step)) : '0'),
              dt('Loss'), dd(job.progress.loss === null ? job.progress.lossText || '–' : quantity(job.progress.loss)),
              dt('Plan'), dd(job.plan ? `generation ${job.plan.generation}: ${job.plan.members.map((m) => m.worker).join(', ')}` : 'none in force'),
              job.pending && [dt('Pending'), dd(`generation ${job.pending.generation}: ${job.pending.reason}`)],
              dt('Asked for'), dd(`workers ${job.config.workers}, batch ${job.config.batch}, lr ${job.config.lr}`))))),
      view && chosen && view.main.steps.length > 0 && chart({
        key: `then ${chosen.id}`, label: `Loss of ${chosen.id} as it was`,
        spec: { name: 'job.loss', title: `Loss of ${chosen.id}, as it was`, unit: '', format: quantity, colour: '--series-1' },
        runs: [{ label: chosen.id, colour: '--series-1', view, version: `${curveVersion}` }], also: null,
        marks: chosen.generations, range: null, mark: chosen.progress.step, options: { log: false, smooth: 0 }, theme: state.prefs.theme, zone: state.prefs.zone,
        empty: null, onZoom: (range) => { if (range) location.hash = link(`/jobs/${encodeURIComponent(chosen.id)}`, range); }, onMark: actions.showMark,
      }),
      poolTable({ ...state, pool: past.pool }, chosen ?? null, 'Pool, as it was'));
  }
}
