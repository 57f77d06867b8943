// The charts of a run and what they have in common: smoothing, scale, comparison.
import { button, div, fieldset, input, label, legend, option, select, span } from '/js/dom.js';
import { compact, count, plural, quantity } from '/js/format.js';
import { chartCard } from '/js/views/charts.js';

const CHARTS = [
  { name: 'job.loss', also: 'validation.loss', alsoLabel: 'validation', title: 'Loss', unit: '', what: 'loss', format: quantity, colour: '--series-1', always: true },
  { name: 'job.tokensPerSecond', title: 'Throughput', unit: 'tokens/s', what: 'throughput', format: compact, colour: '--series-2', fromZero: true, always: true },
  { name: 'train.learning_rate', title: 'Learning rate', unit: '', what: 'learning rate', format: quantity, colour: '--series-4', fromZero: true },
  { name: 'train.gradient_norm', title: 'Gradient norm', unit: '', what: 'gradient norm', format: quantity, colour: '--series-5' },
];

/** Names that the run view watches. */
export const SERIES_OF_RUN = CHARTS.flatMap(({ name, also }) => (also ? [name, also] : [name]));

const COMPARE_COLOURS = ['--compare-1', '--compare-2', '--compare-3', '--compare-4'];
const SMOOTH = [[0, 'off'], [0.6, 'a little'], [0.9, 'more'], [0.98, 'strong']];

export function runCharts(state, actions, job) {
  const keys = state.comparedKeys ?? [];
  const shown = CHARTS.filter(({ name, always }) => always || state.series.get(name)?.view.main.steps.length > 0);
  return [
    tools(state, actions, job, keys),
    div({ class: 'charts' }, shown.map((spec) => chartCard(state, actions, job, spec, keys.flatMap((key, at) => {
      const held = state.compared.get(`${key} ${spec.name}`);
      return held ? [{ label: key.replace('~', ' '), colour: COMPARE_COLOURS[at], view: held.view, version: held.version }] : [];
    })))),
  ];
}

function tools(state, actions, job, keys) {
  const { chartOptions, range } = state;
  const others = state.runs.filter((run) => !(run.job === job.id && run.current) && !keys.includes(`${run.job}~${run.attempt}`));
  return fieldset({ class: 'chart-tools' },
    legend({ class: 'hidden' }, 'How the curves are drawn'),
    label({ class: 'inline' }, span('Smooth'),
      select({ name: 'smooth', value: chartOptions.smooth, onChange: (event) => actions.draw({ ...chartOptions, smooth: Number(event.target.value) }) },
        SMOOTH.map(([value, text]) => option({ key: value, value }, text)))),
    label({ class: 'inline check' }, input({ type: 'checkbox', name: 'log', checked: chartOptions.log, onChange: (event) => actions.draw({ ...chartOptions, log: event.target.checked }) }), span('Log scale')),
    label({ class: 'inline' }, span('Compare with'),
      select({ name: 'compare', value: '', disabled: others.length === 0, onChange: (event) => event.target.value && actions.compare([...keys, event.target.value]) },
        option({ value: '' }, others.length === 0 ? 'no further run' : plural(others.length, 'run')),
        others.map((run) => option({ key: `${run.job}~${run.attempt}`, value: `${run.job}~${run.attempt}` }, `${run.job} ${run.attempt}${run.current ? '' : ' (earlier attempt)'} · step ${count(run.lastStep)}`)))),
    keys.map((key, at) => button({ key, type: 'button', class: 'chip', 'aria-label': `Stop comparing with ${key.replace('~', ' ')}`, onClick: () => actions.compare(keys.filter((other) => other !== key)) },
      span({ class: `swatch c${at + 1}`, 'aria-hidden': 'true' }), key.replace('~', ' '), ' ✕')),
    range && button({ type: 'button', class: 'chip', onClick: () => actions.zoom(null) }, `steps ${count(range.from)}–${count(range.to)} ✕`));
}
