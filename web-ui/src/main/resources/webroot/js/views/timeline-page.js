// Ranks × time: what each rank did, who waited for whom, and how much communication was not hidden behind computation.
import { a, button, Component, div, h, h2, input, label, option, p, section, select, span, strong, table, tbody, td, th, thead, tr } from '/js/dom.js';
import * as api from '/js/api.js';
import { bytes, count, plural, quantity } from '/js/format.js';
import { download } from '/js/download.js';
import { Resource } from '/js/resource.js';
import { here, momentInCurves, setParams } from '/js/routes.js';
import { emptySeries, problemCard } from '/js/views/empty.js';

const AGAIN_MS = 2_000;
const SETTLE_MS = 80;
const STEPS = [1, 3, 10, 30];
const LANE = 34;
const LEFT = 92;
const TOP = 22;
const BOTTOM = 24;

/** Okabe and Ito's hues; communication is also hatched, so that it is told apart without colour. */
const PHASES = {
  DATA: ['--phase-data', 'data'], FORWARD: ['--phase-forward', 'forward'], BACKWARD: ['--phase-backward', 'backward'], ALL_REDUCE: ['--phase-reduce', 'all-reduce'],
  COMMIT: ['--phase-commit', 'commit vote'], OPTIMIZER: ['--phase-optimizer', 'optimizer'], ALL_GATHER: ['--phase-gather', 'all-gather'], VALIDATION: ['--phase-validation', 'validation'],
  STATE_MOVE: ['--phase-move', 'state move'], CHECKPOINT: ['--phase-checkpoint', 'checkpoint'], WAIT: ['--phase-wait', 'wait'],
};
const HATCHED = new Set(['ALL_REDUCE', 'ALL_GATHER', 'COMMIT']);

export class timelinePage extends Component {
  constructor() {
    super();
    const changed = () => this.setState({ version: (this.state.version ?? 0) + 1 });
    this.names = new Resource(changed);
    this.view = new Resource(changed);
    this.state = { bar: null };
  }

  componentDidMount() {
    this.timer = setInterval(() => {
      if (here().params.get('to') !== null) return;
      if (this.props.job.phase === 'RUNNING' || !this.view.value) [this.names, this.view].forEach((r) => r.path && r.want(r.path, true));
    }, AGAIN_MS);
    this.resize = new ResizeObserver(() => this.draw());
  }

  componentDidUpdate() {
    this.draw();
  }

  componentWillUnmount() {
    clearInterval(this.timer);
    this.resize.disconnect();
    [this.names, this.view].forEach((resource) => resource.drop());
  }

  set = (values) => {
    setParams(values);
    this.setState({ bar: null });
  };

  name() {
    return (this.names.value ?? []).find((frame) => frame.kind === 'spans')?.name;
  }

  render({ state, job }, { bar }) {
    const base = `/api/jobs/${encodeURIComponent(job.id)}`;
    this.names.want(`${base}/frames`);
    const name = this.name();
    const { params } = here();
    const steps = STEPS.includes(Number(params.get('steps'))) ? Number(params.get('steps')) : 3;
    const path = name ? `${base}/timeline?${api.query({ name, steps, to: params.get('to') })}` : null;
    if (this.view.path === null) this.view.want(path);
    else this.view.wantSoon(path, SETTLE_MS);
    const view = this.view.value;
    if (!name || !view) return section({ class: 'card' }, problemCard(this.names.problem ?? this.view.problem), this.names.value && !name ? emptySeries(state, job, 'timeline') : p({ class: 'dim' }, 'Reading…'));
    const lastStep = view.steps[view.steps.length - 1]?.step ?? 0;
    return div({ class: 'job' },
      section({ class: 'card timeline', 'aria-label': `Communication of ${job.id}` },
        div({ class: 'card-head' },
          h2('Ranks × time ', span({ class: 'dim' }, view.steps.length > 0 ? `steps ${count(view.steps[0].step)}–${count(lastStep)}` : '')),
          div({ class: 'chart-tools' },
            label({ class: 'inline' }, span('Steps'), select({ name: 'steps', value: steps, onChange: (event) => this.set({ steps: event.target.value }) }, STEPS.map((n) => option({ key: n, value: n }, n)))),
            button({ type: 'button', class: 'secondary', onClick: () => this.trace(base, name, steps, lastStep) }, 'Trace for Perfetto'))),
        problemCard(this.view.problem),
        div({ class: 'slider' },
          label({ class: 'grow' }, span({ class: 'hidden' }, 'Last step of the window'),
            input({ type: 'range', name: 'to', min: view.firstKept, max: view.lastKept, step: 1, value: lastStep, 'aria-valuetext': `up to step ${lastStep}`, onInput: (event) => this.set({ to: event.target.value }) })),
          params.get('to') !== null && button({ type: 'button', onClick: () => this.set({ to: null }) }, 'Newest'),
          a({ href: momentInCurves(job.id, lastStep) }, 'in the curves')),
        div({ class: `readout ${bar ? '' : 'dim'}`, 'aria-live': 'polite' }, bar ? barText(view, bar) : 'hover or use ← → ↑ ↓'),
        div({ class: 'grid-frame', tabIndex: 0, role: 'img', 'aria-label': describe(view), onKeyDown: this.onKeyDown },
          h('canvas', { class: 'timeline-canvas', ref: this.attach, onMouseMove: (event) => this.hover(event), onMouseLeave: () => this.setState({ bar: null }) })),
        div({ class: 'scale' }, [...new Set(view.spans.map((span) => span.phase))].map((phase) => span({ key: phase, class: 'scale-more' },
          span({ class: `scale-cell ${HATCHED.has(phase) ? 'hatched' : ''}`, 'aria-hidden': 'true', style: { background: `var(${(PHASES[phase] ?? PHASES.WAIT)[0]})` } }), (PHASES[phase] ?? [0, phase.toLowerCase()])[1]))),
        p({ class: 'notes dim' }, new Set(state.pool.workers.filter((w) => view.ranks.some((r) => r.worker === w.id)).map((w) => w.host)).size > 1
          ? 'Times are of each rank’s own clock: between hosts they may be apart.' : 'All ranks are on one host and share its clock.')),
      findings(view));
  }

  attach = (canvas) => {
    this.canvas = canvas;
    if (canvas) this.resize?.observe(canvas.parentElement);
  };

  async trace(base, name, steps, to) {
    const trace = await api.get(`${base}/trace?${api.query({ name, steps, to })}`);
    download(`${this.props.job.id}-to-step-${to}.trace.json`, 'application/json', JSON.stringify(trace));
  }

  onKeyDown = (event) => {
    const view = this.view.value;
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!move || !view) return;
    event.preventDefault();
    const lane = Math.max(0, Math.min(view.ranks.length - 1, (this.state.bar?.lane ?? 0) + move[0]));
    const bars = view.spans.filter((s) => s.lane === lane).sort((x, y) => x.beginMicros - y.beginMicros);
    const begin = this.state.bar?.beginMicros ?? -Infinity;
    const at = bars.findLastIndex((s) => s.beginMicros <= begin);
    this.setState({ bar: bars[Math.max(0, Math.min(bars.length - 1, move[0] ? at : at + move[1]))] ?? null });
  };

  x(micros) {
    const view = this.view.value;
    return LEFT + ((micros / Math.max(1, view.endMicros - view.beginMicros)) * (this.width - LEFT - 8));
  }

  hover(event) {
    const view = this.view.value;
    const box = this.canvas.getBoundingClientRect();
    const lane = Math.floor((event.clientY - box.top - TOP) / LANE);
    const at = ((event.clientX - box.left - LEFT) / (this.width - LEFT - 8)) * (view.endMicros - view.beginMicros);
    const hits = view.spans.filter((s) => s.lane === lane && s.beginMicros <= at && s.endMicros >= at);
    // The shortest span under the cursor: what lies within another can be reached.
    const bar = hits.reduce((best, s) => (!best || s.endMicros - s.beginMicros < best.endMicros - best.beginMicros ? s : best), null);
    if (bar !== this.state.bar) this.setState({ bar });
  }

  draw() {
    const view = this.view.value;
    const { canvas } = this;
    if (!view || !canvas) return;
    const ratio = devicePixelRatio;
    this.width = Math.max(240, canvas.parentElement.clientWidth);
    const height = TOP + view.ranks.length * LANE + BOTTOM;
    canvas.width = this.width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${this.width}px`;
    canvas.style.height = `${height}px`;
    canvas.dataset.spans = view.spans.length;
    const ctx = canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    ctx.font = '11px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    for (const step of view.steps) {
      const x = this.x(step.beginMicros);
      ctx.strokeStyle = colour('--line');
      ctx.beginPath();
      ctx.moveTo(x, TOP - 4);
      ctx.lineTo(x, height - BOTTOM);
      ctx.stroke();
      ctx.fillStyle = colour('--text-dim');
      if (this.x(step.endMicros) - x > 34) ctx.fillText(`step ${step.step}`, x + 3, TOP - 12);
    }
    view.ranks.forEach((rank, lane) => {
      ctx.fillStyle = colour('--text');
      ctx.fillText(`${rank.rank}  ${rank.worker}`.slice(0, 14), 4, TOP + lane * LANE + LANE / 2);
    });
    // Long spans first: what lies within one is drawn over it.
    for (const bar of [...view.spans].sort((x, y) => (y.endMicros - y.beginMicros) - (x.endMicros - x.beginMicros))) {
      const x = this.x(bar.beginMicros);
      const wide = Math.max(0.7, this.x(bar.endMicros) - x);
      const y = TOP + bar.lane * LANE + 4;
      ctx.fillStyle = colour((PHASES[bar.phase] ?? PHASES.WAIT)[0]);
      ctx.fillRect(x, y, wide, LANE - 8);
      if (HATCHED.has(bar.phase) && wide > 5) hatch(ctx, x, y, wide, LANE - 8);
    }
    const { bar } = this.state;
    if (bar) {
      ctx.strokeStyle = colour('--text');
      ctx.lineWidth = 2;
      ctx.strokeRect(this.x(bar.beginMicros), TOP + bar.lane * LANE + 3, Math.max(2, this.x(bar.endMicros) - this.x(bar.beginMicros)), LANE - 6);
    }
    ctx.fillStyle = colour('--text-dim');
    const total = view.endMicros - view.beginMicros;
    for (let at = 0; at <= 4; at++) {
      ctx.textAlign = at === 4 ? 'right' : 'left';
      ctx.fillText(`${quantity((total * at) / 4000)} ms`, this.x((total * at) / 4), height - BOTTOM / 2);
    }
    ctx.textAlign = 'left';
  }
}

function hatch(ctx, x, y, wide, high) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, wide, high);
  ctx.clip();
  ctx.strokeStyle = 'rgb(0 0 0 / 35%)';
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let at = x - high; at < x + wide; at += 6) {
    ctx.moveTo(at, y + high);
    ctx.lineTo(at + high, y);
  }
  ctx.stroke();
  ctx.restore();
}

function barText(view, bar) {
  const rank = view.ranks[bar.lane];
  return [
    `rank ${rank.rank} ${rank.worker}, step ${count(bar.step)}: `, span({ class: 'readout-value' }, (PHASES[bar.phase] ?? [0, bar.phase])[1]), ` ${quantity((bar.endMicros - bar.beginMicros) / 1000)} ms`,
    bar.operation ? `  ${bar.operation.toLowerCase()} #${bar.sequence}, ${bytes(bar.bytes)}` : '',
  ];
}

function findings(view) {
  const { slowest } = view;
  return section({ class: 'card', 'aria-label': 'Findings' },
    h2('Who waits for whom'),
    stragglers(view),
    slowest && p({ class: 'slowest' }, 'Slowest collective: ', strong(`${slowest.operation.toLowerCase()} #${slowest.sequence}`), ` of step ${count(slowest.step)}, ${bytes(slowest.bytes)}, ${quantity(slowest.micros / 1000)} ms after rank ${slowest.lastRank} (${slowest.lastWorker}) had come as the last, ${quantity(slowest.waitMicros / 1000)} ms behind the first.`),
    div({ class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Communication by rank' },
      table(
        thead(tr(th('Rank'), th('Worker'), th({ class: 'num' }, 'In steps'), th({ class: 'num' }, 'Communication'), th({ class: 'num' }, 'Exposed'), th({ class: 'num' }, 'Exposed share'), th({ class: 'num' }, 'Came last'), th({ class: 'num' }, 'Behind by'))),
        tbody(view.ranks.map((rank) => tr({ key: rank.rank },
          th({ scope: 'row' }, rank.rank), td(rank.worker), td({ class: 'num' }, `${quantity(rank.stepMicros / 1000)} ms`), td({ class: 'num' }, `${quantity(rank.communicationMicros / 1000)} ms`),
          td({ class: 'num' }, `${quantity(rank.exposedMicros / 1000)} ms`), td({ class: 'num' }, `${quantity(100 * rank.exposedShare)} %`), td({ class: 'num' }, count(rank.lateCount)), td({ class: 'num' }, rank.lateCount > 0 ? `${quantity(rank.lateMicros / 1000)} ms` : '–')))))),
    p({ class: 'notes dim' }, 'Exposed: communication without any computation of the same rank beside it, as a share of the time of its steps.'));
}

const describe = (view) =>
  `${plural(view.ranks.length, 'rank')} over ${plural(view.steps.length, 'step')}, ${plural(view.spans.length, 'span')}. Arrow keys move from span to span.`;

/** Who kept the others waiting; that nobody did is an answer too, and another one than that nobody could. */
function stragglers({ commonCollectives, stragglers: all }) {
  if (commonCollectives === 0) return p({ class: 'straggler' }, 'No collective with more than one rank in this window.');
  if (all.length === 0) return p({ class: 'straggler' }, `No straggler: in ${plural(commonCollectives, 'collective')} no rank kept the others waiting for more than 1 % of the time.`);
  return all.map((late) => p({ key: late.rank, class: 'straggler' }, strong(`Rank ${late.rank} (${late.worker})`),
    ` came last to ${quantity(100 * late.share)} % of the collectives, ${quantity(late.meanLateMicros / 1000)} ms behind the first on average: ${quantity(100 * late.waitedShare)} % of the steps’ time went into waiting for it.`));
}
