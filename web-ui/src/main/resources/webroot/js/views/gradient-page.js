// Magnitudes of gradients or weights: layers × steps, and for one layer magnitude × steps.
import { Component, button, div, h, h2, label, option, p, section, select, span } from '/js/dom.js';
import * as api from '/js/api.js';
import { count, plural, quantity } from '/js/format.js';
import { missing, NOT_FINITE, sequential } from '/js/chart/colours.js';
import { Resource } from '/js/resource.js';
import { here, momentInCurves, setParams } from '/js/routes.js';
import { emptySeries, problemCard } from '/js/views/empty.js';
import { gridView, scaleLegend } from '/js/views/grid-view.js';

const AGAIN_MS = 2_000;
const COLUMNS_MAX = 400;
const LOWEST_EXPONENT = -48;
const MEASURES = [['norms', 'norm'], ['largest', 'largest magnitude']];

export class gradientPage extends Component {
  constructor() {
    super();
    const changed = () => this.setState({ version: (this.state.version ?? 0) + 1 });
    this.names = new Resource(changed);
    this.map = new Resource(changed);
    this.layer = new Resource(changed);
    this.state = {};
  }

  componentDidMount() {
    this.timer = setInterval(() => {
      if (this.props.job.phase !== 'RUNNING' && this.map.value) return;
      [this.names, this.map, this.layer].forEach((resource) => resource.path && resource.want(resource.path, true));
    }, AGAIN_MS);
  }

  componentWillUnmount() {
    clearInterval(this.timer);
    [this.names, this.map, this.layer].forEach((resource) => resource.drop());
  }

  set = (values) => {
    setParams(values);
    this.setState({});
  };

  render({ state, job }, { cell, layerCell, version }) {
    const base = `/api/jobs/${encodeURIComponent(job.id)}`;
    this.names.want(`${base}/frames`);
    const names = (this.names.value ?? []).filter((frame) => frame.kind === 'histograms').map((frame) => frame.name);
    const { params } = here();
    const name = names.includes(params.get('name')) ? params.get('name') : names.find((n) => n.includes('gradient')) ?? names[0];
    const measure = params.get('by') === 'largest' ? 'largest' : 'norms';
    const chosen = params.get('layer');
    const columns = Math.max(40, Math.min(COLUMNS_MAX, Math.round(innerWidth / 3)));
    this.map.want(name ? `${base}/heatmap?${api.query({ name, columns })}` : null);
    this.layer.want(name && chosen !== null ? `${base}/heatmap?${api.query({ name, columns, layer: chosen })}` : null);
    if (!name) return section({ class: 'card' }, problemCard(this.names.problem), this.names.value ? emptySeries(state, job, 'histogram') : p({ class: 'dim' }, 'Reading…'));
    const light = state.prefs.theme === 'light';
    return div({ class: 'job' },
      section({ class: 'card heat', 'aria-label': `Heatmap of ${job.id}` },
        div({ class: 'card-head' },
          h2('Layers × steps'),
          div({ class: 'chart-tools' },
            label({ class: 'inline' }, span('Of'), select({ name: 'name', value: name, onChange: (event) => this.set({ name: event.target.value }) }, names.map((n) => option({ key: n, value: n }, n)))),
            label({ class: 'inline' }, span('Colour'), select({ name: 'by', value: measure, onChange: (event) => this.set({ by: event.target.value }) }, MEASURES.map(([value, text]) => option({ key: value, value }, text)))))),
        problemCard(this.map.problem),
        this.map.value && this.layers(job, this.map.value, measure, light, cell, `${name} ${measure} ${version} ${light}`)),
      chosen !== null && this.layer.value && section({ class: 'card heat', 'aria-label': `Magnitudes of ${layerName(+chosen, this.map.value)}` },
        div({ class: 'card-head' }, h2(`Magnitude × steps of ${layerName(+chosen, this.map.value)}`), button({ type: 'button', class: 'secondary', onClick: () => this.set({ layer: null }) }, 'Close')),
        this.magnitudes(job, this.layer.value, light, layerCell, `${name} ${chosen} ${version} ${light}`)));
  }

  layers(job, map, measure, light, cell, look) {
    const values = map[measure];
    const finite = values.flat().filter((x) => x !== null && x > 0);
    const [low, high] = [Math.log10(Math.min(...finite)), Math.log10(Math.max(...finite))];
    const odd = new Map(map.odd.map((o) => [`${o.row} ${o.column}`, o]));
    const share = (value) => (high === low ? 0.5 : (Math.log10(value) - low) / (high - low));
    const colour = (row, column) => {
      const o = odd.get(`${row} ${column}`);
      const value = values[row][column];
      if (o && o.finite === 0) return NOT_FINITE;
      if (value === null) return missing(light);
      return value > 0 ? sequential(share(value)) : sequential(0);
    };
    const totals = map.odd.reduce((sum, o) => [sum[0] + o.nans, sum[1] + o.positive, sum[2] + o.negative], [0, 0, 0]);
    return [
      readout(cell && map.firstSteps[cell.column] !== undefined && values[cell.row] ? [
        `${layerName(map.layers[cell.row], map)}, ${steps(map, cell.column)}: `,
        span({ class: 'readout-value' }, values[cell.row][cell.column] === null ? 'no finite value' : `${measure === 'norms' ? 'norm' : 'largest'} ${quantity(values[cell.row][cell.column])}`),
        oddText(odd.get(`${cell.row} ${cell.column}`)),
      ] : null, 'hover or use the arrow keys; click or Enter opens a layer'),
      h(gridView, {
        look, rows: map.layers.length, columns: map.firstSteps.length, height: Math.max(160, Math.min(560, 40 + map.layers.length * 26)), upward: true, colour,
        sign: (row, column) => (odd.has(`${row} ${column}`) ? '!' : ''), marks: generationMarks(map),
        rowLabel: (row) => layerShort(map.layers[row], map), columnLabel: (column) => count(map.firstSteps[column]),
        label: `${map.layers.length} layers by ${plural(map.firstSteps.length, 'column')}, steps ${map.firstSteps[0]} to ${map.lastSteps[map.lastSteps.length - 1]}, ${plural(map.odd.length, 'cell')} with values that are not finite.`,
        onHover: (at) => this.setState({ cell: at }), onChoose: (at) => this.set({ layer: map.layers[at.row] }),
      }),
      finite.length > 0 && scaleLegend(sequential, quantity(10 ** low), `${quantity(10 ** high)} (log)`, [[NOT_FINITE, 'all NaN or Inf', '!'], [missing(light), 'not pictured']]),
      p({ class: 'notes dim' },
        map.stepsPerColumn > 1 ? `A column holds up to ${plural(map.stepsPerColumn, 'pictured step')}, the largest counts. ` : '',
        map.thinnedTo > 1 ? `Of older steps every ${map.thinnedTo}th is kept, and all with NaN or Inf. ` : '',
        totals.some((n) => n > 0) ? `▼ ${count(totals[0])} NaN, ${count(totals[1])} +Inf, ${count(totals[2])} −Inf in ${plural(map.odd.length, 'cell')}, first at step ${count(map.firstSteps[Math.min(...map.odd.map((o) => o.column))])}.` : 'Every value was finite.',
        ' ', map.firstSteps.length > 0 && cell && map.firstSteps[cell.column] !== undefined ? h('a', { href: momentInCurves(job.id, map.firstSteps[cell.column]) }, `step ${count(map.firstSteps[cell.column])} in the curves`) : ''),
    ];
  }

  magnitudes(job, view, light, cell, look) {
    const odd = new Map(view.odd.map((o) => [o.column, o]));
    const rows = view.shares.length;
    // The lowest row is zeros, which have no place on a logarithmic axis.
    const share = (row, column) => (row === 0 ? view.zeros[column] : view.shares[row - 1][column]);
    const most = [view.zeros, ...view.shares].flat().reduce((x, y) => Math.max(x, y), 0) || 1;
    const colour = (row, column) => {
      if (view.finite[column] === 0) return odd.has(column) ? NOT_FINITE : missing(light);
      const value = share(row, column);
      return value > 0 ? sequential(0.12 + 0.88 * Math.sqrt(value / most)) : missing(light);
    };
    const bound = (row) => `2^${view.firstBucket + row - 1 + LOWEST_EXPONENT}`;
    return [
      readout(cell && view.firstSteps[cell.column] !== undefined ? [
        `${steps(view, cell.column)}, ${cell.row === 0 ? 'zeros' : `|x| from ${bound(cell.row)}`}: `,
        span({ class: 'readout-value' }, view.finite[cell.column] === 0 ? 'no finite value' : `${quantity(100 * share(cell.row, cell.column))} %`),
        oddText(odd.get(cell.column)),
      ] : null, 'hover or use the arrow keys'),
      h(gridView, {
        look, rows: rows + 1, columns: view.firstSteps.length, height: Math.max(160, Math.min(560, 60 + rows * 12)), upward: true, colour,
        sign: (row, column) => (odd.has(column) && row === rows ? '!' : ''), marks: generationMarks(view),
        rowLabel: (row) => (row === 0 ? '0' : bound(row)), columnLabel: (column) => count(view.firstSteps[column]),
        label: `Magnitudes of one layer: ${rows} buckets by ${plural(view.firstSteps.length, 'column')}, ${plural(view.odd.length, 'column')} with values that are not finite.`,
        onHover: (at) => this.setState({ layerCell: at }),
      }),
      scaleLegend((x) => sequential(0.12 + 0.88 * Math.sqrt(x)), 'few', `${quantity(100 * most)} % of the values`, [[NOT_FINITE, 'all NaN or Inf', '!'], [missing(light), 'none']]),
      p({ class: 'notes dim' }, `A row is a power of two, the lowest row counts zeros. ${view.odd.length > 0 ? `▼ ${plural(view.odd.length, 'column')} hold NaN or Inf; their finite part is drawn.` : 'Every value was finite.'}`),
    ];
  }
}

const readout = (content, otherwise) => div({ class: `readout ${content ? '' : 'dim'}`, 'aria-live': 'polite' }, content ?? otherwise);

const steps = (map, column) =>
  map.firstSteps[column] === map.lastSteps[column] ? `step ${count(map.firstSteps[column])}` : `steps ${count(map.firstSteps[column])}–${count(map.lastSteps[column])}`;

const oddText = (odd) => (odd ? `  ▼ ${count(odd.nans)} NaN, ${count(odd.positive)} +Inf, ${count(odd.negative)} −Inf` : '');

const last = (map) => (map ? map.layers[map.layers.length - 1] : Infinity);
const layerName = (layer, map) => (layer === -1 ? 'the embeddings' : layer === last(map) && map?.layers.includes(-1) ? 'the head' : `layer ${layer}`);
const layerShort = (layer, map) => (layer === -1 ? 'embed' : layer === last(map) && map.layers.includes(-1) ? 'head' : `${layer}`);

const generationMarks = (map) => map.generations.flatMap((generation, at) => (at > 0 && generation !== map.generations[at - 1] ? [at] : []));
