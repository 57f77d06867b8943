// A chart with its title, the value under the cursor, and what the picture leaves out.
import { button, div, h, h2, p, section, span, Component } from '/js/dom.js';
import { count, plural } from '/js/format.js';
import { emptySeries } from '/js/views/empty.js';

let chartModule = null; // the chart library is loaded with the first chart, not with the page

class LineChartHost extends Component {
  componentDidMount() {
    chartModule ??= import('/js/chart/line-chart.js');
    chartModule.then(({ LineChart }) => {
      if (this.gone) return;
      this.chart = new LineChart(this.base, (readout) => this.props.onHover(readout), (range) => this.props.onZoom(range));
      this.chart.update(this.props);
    });
  }

  shouldComponentUpdate(next) {
    const changed = ['version', 'theme', 'marks', 'zoomed', 'alsoVersion'].some((key) => next[key] !== this.props[key]);
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

class ChartCard extends Component {
  onHover = (readout) => {
    if (readout?.step !== this.state.readout?.step) this.setState({ readout });
  };

  onKeyDown = (event) => {
    const host = event.currentTarget.querySelector('.plot');
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (by !== undefined && host?.moveCursor) {
      host.moveCursor(by);
      event.preventDefault();
    }
    if (event.key === 'Escape') this.props.actions.zoom(this.props.spec.name, null);
  };

  render({ state, actions, job, spec }, { readout }) {
    const held = state.series.get(spec.name);
    const also = spec.also ? state.series.get(spec.also) : null;
    const points = held?.view.main.steps.length ?? 0;
    const marks = job.generations;
    return section({ class: 'card chart', 'aria-label': `${spec.title} of ${job.id}` },
      div({ class: 'card-head' },
        h2(spec.title, spec.unit && span({ class: 'dim' }, ` ${spec.unit}`)),
        readoutLine(readout, held, spec)),
      points === 0
        ? emptySeries(state, job, spec.what)
        : div({ class: 'plot-frame', tabIndex: 0, role: 'img', 'aria-label': describe(spec, held.view, marks), onKeyDown: this.onKeyDown },
            h(LineChartHost, {
              key: job.attempt, series: held.view, also: also?.view, alsoLabel: spec.alsoLabel, alsoVersion: also?.version, version: held.version, marks, zoomed: held.zoom !== null, zoom: held.zoom,
              theme: state.prefs.theme, format: spec.format, colour: spec.colour, fromZero: spec.fromZero, onHover: this.onHover, onZoom: (range) => actions.zoom(spec.name, range),
            })),
      points > 0 && notes(held, actions, spec));
  }
}

export const chartCard = (state, actions, job, spec) => h(ChartCard, { key: `${job.id} ${spec.name}`, state, actions, job, spec });

function readoutLine(readout, held, spec) {
  if (!readout) return span({ class: 'readout dim' }, held ? 'hover or use ← →' : '');
  return span({ class: 'readout' },
    `step ${count(readout.step)}  `,
    span({ class: 'readout-value' }, readout.nonFinite ? 'not finite' : spec.format(readout.last)),
    readout.min !== readout.max && readout.min !== null ? ` (${spec.format(readout.min)} … ${spec.format(readout.max)})` : '',
    readout.also !== null && readout.also !== undefined ? `  ${spec.alsoLabel} ${spec.format(readout.also)}` : '',
    `  gen. ${readout.generation}`);
}

function notes({ view, zoom }, actions, spec) {
  const all = [];
  if (view.sampled) all.push(`Sampled: one point per ${plural(view.bucketSteps, 'step')}; the band is the exact minimum and maximum.`);
  if (view.nonFinite > 0) all.push(`▼ ${count(view.nonFinite)} of ${count(view.readings)} readings are not finite, first at step ${count(view.firstNonFiniteStep)}.`);
  if (view.abandoned.steps.length > 0) all.push('Dashed grey: steps that were run again after a resume.');
  return div({ class: 'notes dim' },
    all.map((text) => p({ key: text }, text)),
    zoom && p(`Steps ${count(zoom.from)} to ${count(zoom.to)}. `, button({ type: 'button', class: 'link', onClick: () => actions.zoom(spec.name, null) }, 'Show all')));
}

function describe(spec, view, marks) {
  const finite = view.main.last.filter((x) => x !== null);
  const last = finite[finite.length - 1];
  return `${spec.title} from step ${view.main.firstSteps[0]} to ${view.main.steps[view.main.steps.length - 1]}, last value ${spec.format(last)}, ` +
    `lowest ${spec.format(Math.min(...finite))}, highest ${spec.format(Math.max(...finite))}, ${plural(marks.length, 'generation change')}. Arrow keys move the cursor.`;
}
