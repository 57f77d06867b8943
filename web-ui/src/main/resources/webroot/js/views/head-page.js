// What the attention heads do: layers × heads at a step or as a difference of two, and the attention of one head on request.
import { Component, button, div, form, h, h2, input, label, option, p, section, select, span } from '/js/dom.js';
import * as api from '/js/api.js';
import { count, dateTime, plural, quantity } from '/js/format.js';
import { diverging, missing, sequential } from '/js/chart/colours.js';
import { Resource } from '/js/resource.js';
import { here, setParams } from '/js/routes.js';
import { emptySeries, problemCard } from '/js/views/empty.js';
import { gridView, scaleLegend } from '/js/views/grid-view.js';

const AGAIN_MS = 2_000;
const SETTLE_MS = 80;
const ROWS = 128;

export class headPage extends Component {
  constructor() {
    super();
    const changed = () => this.setState({ version: (this.state.version ?? 0) + 1 });
    this.names = new Resource(changed);
    this.matrix = new Resource(changed);
    this.map = new Resource(changed);
    this.state = {};
  }

  componentDidMount() {
    this.timer = setInterval(() => {
      if (this.props.job.phase === 'RUNNING' || !this.matrix.value) {
        this.names.want(this.names.path, true);
        if (this.matrix.path && here().params.get('step') === null) this.matrix.want(this.matrix.path, true);
      }
      if (this.map.path && this.map.problem) this.map.want(this.map.path, true); // the answer is on its way
    }, AGAIN_MS);
  }

  componentWillUnmount() {
    clearInterval(this.timer);
    [this.names, this.matrix, this.map].forEach((resource) => resource.drop());
  }

  set = (values) => {
    setParams(values);
    this.setState({});
  };

  render({ state, job }, { cell, mapCell, version }) {
    const base = `/api/jobs/${encodeURIComponent(job.id)}`;
    this.names.want(`${base}/frames`);
    const frames = this.names.value ?? [];
    const names = frames.filter((frame) => frame.kind === 'matrix').map((frame) => frame.name);
    const maps = frames.filter((frame) => frame.kind === 'attention').map((frame) => frame.name);
    const { params } = here();
    const name = names.includes(params.get('name')) ? params.get('name') : names[0];
    const ask = { name, step: params.get('step'), minus: params.get('minus'), row: params.get('row'), rows: ROWS };
    const path = name ? `${base}/matrix?${api.query(ask)}` : null;
    if (this.matrix.path === null) this.matrix.want(path);
    else this.matrix.wantSoon(path, SETTLE_MS);
    const [layer, head] = [params.get('layer'), params.get('head')];
    this.map.want(maps.length > 0 || params.get('request') ? `${base}/attention?${api.query({ name: maps[0] ?? 'attention.map', layer, head, request: params.get('request') })}` : null);
    const light = state.prefs.theme === 'light';
    return div({ class: 'job' },
      section({ class: 'card heat', 'aria-label': `Attention heads of ${job.id}` },
        div({ class: 'card-head' }, h2('Layers × heads'),
          names.length > 0 && label({ class: 'inline' }, span('Of'), select({ name: 'name', value: name, onChange: (event) => this.set({ name: event.target.value }) }, names.map((n) => option({ key: n, value: n }, n))))),
        problemCard(this.matrix.problem ?? this.names.problem),
        !name && (this.names.value ? emptySeries(state, job, 'head activity') : p({ class: 'dim' }, 'Reading…')),
        name && this.matrix.value && this.heads(state, this.matrix.value, light, cell, `${name} ${version} ${light}`)),
      this.attention(state, job, light, mapCell, `${version} ${light}`));
  }

  heads(state, view, light, cell, look) {
    const difference = view.minusStep !== null;
    const finite = view.values.flat().filter((x) => x !== null);
    const largest = finite.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
    const low = finite.reduce((least, x) => Math.min(least, x), Infinity);
    const high = finite.reduce((most, x) => Math.max(most, x), -Infinity);
    const dead = new Set(view.dead.map(([row, column]) => `${Math.floor((row - view.firstRow) / view.cellRows)} ${Math.floor(column / view.cellColumns)}`));
    const reduced = view.cellRows > 1 || view.cellColumns > 1;
    const colour = (row, column) => {
      const value = view.values[row][column];
      if (value === null) return missing(light);
      return difference ? diverging(value / largest, light) : sequential(high === low ? 0.5 : (value - low) / (high - low));
    };
    const columns = view.values[0]?.length ?? 0;
    const stepAt = view.steps.indexOf(view.step);
    const layerOf = (row) => view.firstRow + row * view.cellRows;
    const name = (row, column) => (reduced
      ? `layers ${layerOf(row)}–${Math.min(view.rows, layerOf(row) + view.cellRows) - 1}, heads ${column * view.cellColumns}–${Math.min(view.columns, (column + 1) * view.cellColumns) - 1}`
      : `layer ${layerOf(row)}, head ${column}`);
    const stepSlider = (param, value, text) => label({ class: 'grow' }, span(text),
      input({ type: 'range', name: param, min: 0, max: view.steps.length - 1, step: 1, value, 'aria-valuetext': `step ${view.steps[value]}`, onInput: (event) => this.set({ [param]: view.steps[Number(event.target.value)] }) }));
    return [
      div({ class: 'slider' },
        stepSlider('step', stepAt, `Step ${count(view.step)} `),
        here().params.get('step') !== null && button({ type: 'button', onClick: () => this.set({ step: null }) }, 'Newest')),
      div({ class: 'slider' },
        difference
          ? [stepSlider('minus', Math.max(0, view.steps.indexOf(view.minusStep)), `minus step ${count(view.minusStep)} `), button({ type: 'button', onClick: () => this.set({ minus: null }) }, 'No difference')]
          : button({ type: 'button', disabled: view.steps.length < 2, onClick: () => this.set({ minus: view.steps[Math.max(0, stepAt - 1)], step: view.step }) }, 'Difference to another step')),
      div({ class: `readout ${cell ? '' : 'dim'}`, 'aria-live': 'polite' }, cell && view.values[cell.row]
        ? [`${name(cell.row, cell.column)}: `, span({ class: 'readout-value' }, view.values[cell.row][cell.column] === null ? 'not measured' : `${difference && view.values[cell.row][cell.column] > 0 ? '+' : ''}${quantity(view.values[cell.row][cell.column])}`), dead.has(`${cell.row} ${cell.column}`) ? ' ✕ dead' : '']
        : `gen. ${view.generation} · ${dateTime(view.atMs, state.prefs.zone)}`),
      h(gridView, {
        look: `${look} ${view.step} ${view.minusStep} ${view.firstRow}`, rows: view.values.length, columns, height: Math.max(180, Math.min(640, 40 + view.values.length * 28)), upward: true, colour,
        sign: (row, column) => (dead.has(`${row} ${column}`) ? '✕' : ''),
        rowLabel: (row) => `layer ${layerOf(row)}`, columnLabel: (column) => `${column * view.cellColumns}`,
        label: `${view.rows} layers by ${view.columns} heads at step ${view.step}${difference ? ` minus step ${view.minusStep}` : ''}, ${plural(view.deadTotal, 'dead head')}.`,
        onHover: (at) => this.setState({ cell: at }), onChoose: (at) => !reduced && this.set({ layer: layerOf(at.row), head: at.column, request: null }),
      }),
      difference
        ? scaleLegend((share) => diverging(2 * share - 1, light), `−${quantity(largest)}`, `+${quantity(largest)}`, [[missing(light), 'not measured'], [[90, 90, 90], 'dead', '✕']])
        : scaleLegend(sequential, quantity(low), quantity(high), [[missing(light), 'not measured'], [[90, 90, 90], 'dead', '✕']]),
      p({ class: 'notes dim' },
        view.deadBelow === null ? '' : `${plural(view.deadTotal, 'dead head')} (✕): below ${quantity(view.deadBelow)}, one hundredth of the median over all heads. `,
        reduced ? `Reduced on the server: a cell is ${view.cellRows} × ${view.cellColumns} heads, the largest counts. ` : '',
        view.rows > view.values.length * view.cellRows || view.firstRow > 0 ? [
          `Layers ${view.firstRow} to ${Math.min(view.rows, view.firstRow + ROWS) - 1} of ${view.rows}. `,
          view.firstRow > 0 && button({ type: 'button', class: 'link', onClick: () => this.set({ row: Math.max(0, view.firstRow - ROWS) }) }, 'Layers before'), ' ',
          view.firstRow + ROWS < view.rows && button({ type: 'button', class: 'link', onClick: () => this.set({ row: view.firstRow + ROWS }) }, 'Layers behind'),
        ] : ''),
    ];
  }

  attention(state, job, light, cell, look) {
    const { params } = here();
    const view = this.map.value;
    const waits = this.map.problem && params.get('request');
    return section({ class: 'card heat', 'aria-label': `Attention of one head of ${job.id}` },
      h2('Attention of one head'),
      h(askForm, { job, layer: params.get('layer') ?? '0', head: params.get('head') ?? '0', asked: (request, values) => this.set({ request, ...values }) }),
      waits
        ? p({ class: 'dim', role: 'status' }, 'Asked. A worker answers after its next step; a job that does not step does not answer.')
        : this.map.problem && p({ class: 'dim' }, 'No map of this head is kept. Ask for one.'),
      !this.map.path && p({ class: 'dim' }, 'No map was asked for yet: choose a head above or here, and ask.'),
      view && !this.map.problem && attentionMap(state, view, light, cell, look, (at) => this.setState({ mapCell: at })));
  }
}

class askForm extends Component {
  submit = async (event) => {
    event.preventDefault();
    const { elements } = event.target;
    const body = { layer: Number(elements.layer.value), head: Number(elements.head.value), sample: Number(elements.sample.value), requestedBy: 'web-ui' };
    this.setState({ busy: true, problem: null });
    try {
      const { eventId } = await api.post(`/api/jobs/${encodeURIComponent(this.props.job.id)}/attention`, body);
      this.props.asked(eventId, { layer: body.layer, head: body.head });
      this.setState({ busy: false });
    } catch (error) {
      this.setState({ busy: false, problem: error.problem ?? { rule: 'the server must be reachable', value: error.message, nextStep: 'try again' } });
    }
  };

  render({ job, layer, head }, { busy, problem }) {
    const number = (name, text, value, max) => label({ class: 'field' }, span(text), input({ key: value, type: 'number', name, min: 0, max, required: true, defaultValue: value })); // typed text stays while the page renders again
    return form({ class: 'filter', onSubmit: this.submit },
      number('layer', 'Layer', layer, job.model.layers - 1),
      number('head', 'Head', head, job.model.heads - 1),
      number('sample', 'Held-out sample', 0),
      button({ type: 'submit', class: 'primary', disabled: busy }, busy ? 'Asking…' : 'Ask for its attention'),
      problemCard(problem));
  }
}

function attentionMap(state, view, light, cell, look, onHover) {
  if (view.positions === 0) return p({ role: 'status' }, `The example is empty: 0 tokens, so there is nothing to look at. Reported by ${view.worker} at step ${count(view.step)}.`);
  const largest = view.weights.flat().reduce((most, x) => Math.max(most, x ?? 0), 0) || 1;
  const labelled = view.tokens.length > 0;
  const real = view.positions - view.padding;
  const padded = (at) => at * view.cell >= real;
  const token = (at) => {
    const [from, to] = [at * view.cell, Math.min(view.positions, (at + 1) * view.cell) - 1];
    if (padded(at)) return `padding ${from}`;
    const place = from === to ? `${from}` : `${from}–${to}`;
    return labelled ? `${place} “${view.tokens.slice(from, to + 1).join('')}”` : `position ${place}`;
  };
  const short = (at) => (padded(at) ? 'pad' : labelled && view.cell === 1 ? view.tokens[at].slice(0, 8) : `${at * view.cell}`);
  return [
    div({ class: `readout ${cell ? '' : 'dim'}`, 'aria-live': 'polite' }, cell && view.weights[cell.row]
      ? [`${token(cell.row)} looks at ${token(cell.column)}: `, span({ class: 'readout-value' }, quantity(view.weights[cell.row][cell.column]))]
      : `layer ${view.layer}, head ${view.head} · step ${count(view.step)}, gen. ${view.generation} · ${view.worker} · ${dateTime(view.atMs, state.prefs.zone)}`),
    h(gridView, {
      look: `${look} ${view.request} ${view.step} ${view.layer} ${view.head}`, rows: view.side, columns: view.side, height: Math.max(220, Math.min(640, Math.min(innerWidth - 120, 640))), upward: false,
      colour: (row, column) => (padded(row) || padded(column) ? missing(light) : sequential(Math.sqrt((view.weights[row][column] ?? 0) / largest))),
      rowLabel: short, columnLabel: short,
      label: `Attention of layer ${view.layer}, head ${view.head}: ${view.positions} positions, ${view.padding} of them padding.`, onHover,
    }),
    scaleLegend((share) => sequential(Math.sqrt(share)), '0', quantity(largest), view.padding > 0 ? [[missing(light), 'padding']] : []),
    p({ class: 'notes dim' },
      `Rows look at columns. ${count(real)} positions`, view.padding > 0 ? `, and ${count(view.padding)} of padding, which is marked. ` : '. ',
      view.cell > 1 ? `Reduced to ${view.side} × ${view.side}: a cell is ${view.cell} × ${view.cell} positions, the largest weight counts. ` : '',
      labelled ? '' : 'The sample came without labels: positions are counted from 0.'),
  ];
}
