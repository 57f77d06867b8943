// A chart with its title, the values under the cursor, and what the picture leaves out.
import { button, div, h, h2, p, section, span, Component } from '/js/dom.js';
import { count, dateTime, moment, plural } from '/js/format.js';
import { csv, download } from '/js/download.js';
import { emptySeries } from '/js/views/empty.js';

let chartModule = null; // the chart library is loaded with the first chart, not with the page

class LineChartHost extends Component {
  componentDidMount() {
    chartModule ??= import('/js/chart/line-chart.js');
    chartModule.then(({ LineChart }) => {
      if (this.gone) return;
      this.chart = new LineChart(this.base, { hover: (readout) => this.props.onHover(readout), zoom: (range) => this.props.onZoom(range), mark: (mark) => this.props.onMark(mark) });
      this.chart.update(this.props);
    });
  }

  shouldComponentUpdate(next) {
    const changed = next.look !== this.props.look || next.marks !== this.props.marks;
    this.props = next;
    if (changed) this.chart?.update(next);
    return false; // the chart owns what is inside
  }

  componentWillUnmount() {
    this.gone = true;
    this.chart?.destroy();
  }

  render() {
    return div({ class: 'plot' });
  }
}

/**
 * spec: {name, title, unit, what, format, colour, fromZero, also, alsoLabel}; runs: [{label, colour, view, version}], the first
 * is the job's own; range: {from, to} or null.
 */
class ChartCard extends Component {
  onHover = (readout) => {
    if (readout?.step !== this.state.readout?.step) this.setState({ readout });
  };

  chart() {
    return this.base.querySelector('.plot')?.chart;
  }

  onKeyDown = (event) => {
    const chart = this.chart();
    if (!chart?.plot || event.target !== event.currentTarget) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (by !== undefined && event.shiftKey) chart.pan(by / 4);
    else if (by !== undefined) chart.moveCursor(by);
    else if (event.key === '+' || event.key === '=') chart.scale(0.5);
    else if (event.key === '-') chart.scale(2);
    else if (event.key === 'Escape') this.props.onZoom(null);
    else return;
    event.preventDefault();
  };

  png = async () => {
    await chartModule;
    const picture = await this.chart().png(`${this.props.spec.title} · ${this.props.runs.map((r) => r.label).join(', ')}`);
    download(`${this.fileName()}.png`, 'image/png', picture);
  };

  csv = () => download(`${this.fileName()}.csv`, 'text/csv', table(this.props.runs, this.props.zone));

  fileName() {
    return `${this.props.runs[0].label}-${this.props.spec.name}`.replace(/[^A-Za-z0-9._-]+/g, '-');
  }

  render({ spec, label, runs, also, marks, range, mark, options, theme, zone, empty, onZoom, onMark }, { readout }) {
    const own = runs[0]?.view;
    const points = runs.reduce((sum, run) => sum + run.view.main.steps.length + run.view.abandoned.steps.length, 0);
    const look = [runs.map((run) => `${run.label}${run.version}`).join(), also?.version, theme, JSON.stringify(range), mark, options.log, options.smooth].join(' ');
    return section({ class: 'card chart', 'aria-label': label },
      div({ class: 'card-head' },
        h2(spec.title, spec.unit && span({ class: 'dim' }, ` ${spec.unit}`)),
        readoutLine(readout, points, runs, spec, zone)),
      points === 0
        ? empty
        : div({ class: 'plot-frame', tabIndex: 0, role: 'img', 'aria-label': describe(spec, own, marks), onKeyDown: this.onKeyDown },
            h(LineChartHost, {
              runs, also: also?.view.main.steps.length ? also : null, look, marks, mark, zoom: range, theme,
              log: options.log, smooth: options.smooth, format: spec.format, fromZero: spec.fromZero && !options.log, onHover: this.onHover, onZoom, onMark,
            })),
      points > 0 && notes(runs, spec, options, range, onZoom),
      points > 0 && div({ class: 'exports' },
        button({ type: 'button', class: 'link', onClick: this.csv }, 'CSV'),
        button({ type: 'button', class: 'link', onClick: this.png }, 'PNG')));
  }
}

export const chart = (props) => h(ChartCard, props);

/** A chart of the shown job's series, from the page's state. */
export function chartCard(state, actions, job, spec, compared = []) {
  const held = state.series.get(spec.name);
  const also = spec.also ? state.series.get(spec.also) : null;
  return chart({
    key: `${job.id} ${spec.name}`, spec, label: `${spec.title} of ${job.id}`,
    runs: [...(held ? [{ label: job.id, colour: spec.colour, view: held.view, version: held.version }] : []), ...compared],
    also: also ? { label: spec.alsoLabel, view: also.view, version: also.version } : null,
    marks: job.generations, range: state.range, mark: state.mark, options: state.chartOptions, theme: state.prefs.theme, zone: state.prefs.zone,
    empty: emptySeries(state, job, spec.what), onZoom: actions.zoom, onMark: actions.showMark,
  });
}

function readoutLine(readout, points, runs, spec, zone) {
  if (!readout) return span({ class: 'readout dim' }, points > 0 ? '← → read · drag zooms · shift pans' : '');
  const many = runs.length > 1;
  return div({ class: 'readout' },
    readout.runs.map((run, at) => div({ key: at, class: 'readout-run' },
      many && span({ class: `swatch c${at}`, 'aria-hidden': 'true' }),
      many && `${run.label} `,
      run.missing ? 'no point' : [
        run.firstStep === run.step ? `step ${count(run.step)}  ` : `steps ${count(run.firstStep)}–${count(run.step)}  `,
        span({ class: 'readout-value' }, run.last === null ? run.odd ?? 'not finite' : spec.format(run.last)),
        run.min !== run.max && run.min !== null ? ` (${spec.format(run.min)} … ${spec.format(run.max)})` : '',
        run.last !== null && run.nonFinite > 0 ? ` ▼ ${run.nonFinite} ${run.odd}` : '',
        at === 0 && readout.smoothed !== null && readout.smoothed !== undefined ? `  smooth ${spec.format(readout.smoothed)}` : '',
        at === 0 && readout.also ? `  ${readout.also.label} ${spec.format(readout.also.last)}` : '',
        `  gen. ${run.generation}`,
        at === 0 && !many ? span({ class: 'dim' }, `  ${moment(run.atMs, zone).clock} ${moment(run.atMs, zone).zone}`) : '',
      ])));
}

function notes(runs, spec, { log, smooth }, range, onZoom) {
  const all = [];
  const many = runs.length > 1;
  for (const { label, view } of runs) {
    const who = many ? `${label}: ` : '';
    if (view.sampled) all.push(`${who}Sampled: one point per ${plural(view.bucketSteps, 'step')}; the band is the exact minimum and maximum.`);
    if (view.nonFinite > 0) all.push(`${who}▼ ${count(view.nonFinite)} of ${count(view.readings)} readings are not finite, first at step ${count(view.firstNonFiniteStep)}.`);
    if (view.abandoned.steps.length > 0) all.push(`${who}Dashed: ${plural(view.abandoned.steps.length, 'point')} of steps that were run again after a resume.`);
    if (log) {
      const lost = view.main.last.filter((x) => x !== null && x <= 0).length;
      if (lost > 0) all.push(`${who}${plural(lost, 'point')} at or below 0 have no place on a log axis.`);
    }
  }
  if (smooth > 0) all.push('The bold line is smoothed; the thin line and the band are the readings.');
  return div({ class: 'notes dim' },
    all.map((text) => p({ key: text }, text)),
    range && p(`Steps ${count(range.from)} to ${count(range.to)}. `, button({ type: 'button', class: 'link', onClick: () => onZoom(null) }, 'Show all')));
}

function describe(spec, view, marks) {
  if (!view || view.main.steps.length === 0) return `${spec.title}, no point of this run`;
  let low = Infinity;
  let high = -Infinity;
  let last = null;
  for (let at = 0; at < view.main.last.length; at++) {
    if (view.main.last[at] === null) continue;
    low = Math.min(low, view.main.min[at]);
    high = Math.max(high, view.main.max[at]);
    last = view.main.last[at];
  }
  return `${spec.title} from step ${view.main.firstSteps[0]} to ${view.main.steps[view.main.steps.length - 1]}, last value ${spec.format(last)}, ` +
    `lowest ${spec.format(low)}, highest ${spec.format(high)}, ${plural(marks.length, 'generation change')}. Arrow keys move the cursor.`;
}

/** What was drawn, with NaN and Inf as they were reported and times in the page's zone. */
function table(runs, zone) {
  const rows = runs.flatMap(({ label, view }) => ['main', 'abandoned'].flatMap((branch) => {
    const part = view[branch];
    return part.steps.map((step, at) => {
      const odd = part.odd[at];
      const value = (x) => (x === null ? odd ?? 'NaN' : x);
      return [label, branch, part.firstSteps[at], step, part.generations[at], value(part.last[at]), value(part.min[at]), value(part.max[at]), part.nonFinite[at], odd ?? '', dateTime(part.atMs[at], zone)];
    });
  }));
  return csv(['run', 'branch', 'first step', 'last step', 'generation', 'last', 'min', 'max', 'not finite', 'kind', `time (${zone})`], rows);
}
