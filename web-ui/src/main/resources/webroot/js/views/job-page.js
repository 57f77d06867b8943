// One job, live: figures, charts, pool, changes, events.
import { a, button, Component, details, div, h, h2, h3, li, p, section, span, strong, summary, table, tbody, td, th, thead, tr, ul } from '/js/dom.js';
import { bytes, compact, count, dateTime, duration, plural, quantity, stall } from '/js/format.js';
import { nowMs } from '/js/store.js';
import { asItWas, link, momentInCurves } from '/js/routes.js';
import { runCharts } from '/js/views/run-charts.js';
import { changePanel } from '/js/views/change-panel.js';
import { eventList } from '/js/views/event-list.js';
import { phaseBadge, progressBar } from '/js/views/job-list.js';
import { poolTable } from '/js/views/pool-table.js';

const QUIET_MIN_MS = 5_000;

export function jobPage({ state, actions, job }) {
  return div({ class: 'job' },
    head(state, actions, job),
    stalled(job),
    figures(job),
    runCharts(state, actions, job),
    generations(state, job),
    div({ class: 'columns' },
      poolTable(state, job),
      h(changePanel, { state, actions, job })),
    eventList(state, actions));
}

function head(state, actions, job) {
  const { model, progress } = job;
  const running = job.phase === 'RUNNING';
  return section({ class: 'job-head', 'aria-label': 'Job' },
    div({ class: 'job-title' },
      h2(job.id),
      phaseBadge(job.phase),
      quiet(state, job),
      div({ class: 'quick' },
        running || job.phase === 'STARTING' ? action(actions, job, 'Pause', 'paused') : null,
        job.phase === 'PAUSED' ? action(actions, job, 'Resume', 'running') : null,
        job.phase !== 'STOPPED' && job.phase !== 'COMPLETED' ? h(stopButton, { actions, job }) : null)),
    p({ class: 'dim model' },
      `${model.family} · ${model.layers} layers · hidden ${count(model.hidden)} · ${model.heads} heads · sequence ${count(model.sequenceLength)} · micro-batch ${job.microBatch} · ${job.config.precision ?? ''} · seed ${job.seed}`),
    progressBar(job),
    div({ class: 'job-line dim' },
      span(`Step ${count(progress.step)} of ${count(progress.maxSteps)}`),
      span(running && progress.etaMs !== null ? `${duration(progress.etaMs)} left at this rate` : job.phaseReason)));
}

/** A job that should step and does not is said so, with how long. */
function quiet(state, job) {
  const { lastStepAtMs, stepsPerSecond } = job.progress;
  if (job.phase !== 'RUNNING' || !lastStepAtMs) return null;
  const age = nowMs(state) - lastStepAtMs;
  const limit = Math.max(QUIET_MIN_MS, stepsPerSecond ? 10_000 / stepsPerSecond : 0);
  return age > limit ? span({ class: 'badge waiting', role: 'status' }, `no step for ${duration(age)}`) : null;
}

/** Who has not arrived where, as `myolotrain doctor job` says it. */
function stalled(job) {
  if (!job.findings.length) return null;
  const causes = job.findings.filter((finding) => finding.severity === 'CAUSE');
  const notes = job.findings.filter((finding) => finding.severity === 'NOTE');
  return section({ class: 'card stalled', role: 'status', 'aria-label': 'Why this job stands still' },
    h3('This job stands still'),
    ul(causes.map((finding) => li({ key: finding.worker }, strong(finding.what), finding.advice ? p({ class: 'dim' }, finding.advice) : null))),
    notes.length ? details(summary(`${plural(notes.length, 'note')} on who waits`), ul(notes.map((finding, at) => li({ key: at }, finding.what)))) : null);
}

const action = (actions, job, text, runState) =>
  button({ type: 'button', class: 'secondary', onClick: () => actions.publish(job.id, { state: runState }) }, text);

class stopButton extends Component {
  render({ actions, job }, { sure }) {
    if (!sure) return button({ type: 'button', class: 'secondary danger', onClick: () => this.setState({ sure: true }) }, 'Stop…');
    return span({ class: 'sure', role: 'group', 'aria-label': 'Confirm stop' },
      button({ type: 'button', class: 'danger-solid', onClick: () => { this.setState({ sure: false }); actions.publish(job.id, { state: 'stopped' }); } }, `Stop ${job.id}`),
      button({ type: 'button', class: 'secondary', onClick: () => this.setState({ sure: false }) }, 'Keep running'));
  }
}

function figures(job) {
  const { progress, plan, checkpoint, generations } = job;
  const last = generations[generations.length - 1];
  return div({ class: 'figures' },
    figure('Loss', progress.loss === null ? progress.lossText || '–' : quantity(progress.loss), progress.lossText && progress.loss === null ? 'not finite' : `step ${count(progress.step)}`),
    figure('Throughput', compact(progress.tokensPerSecond), `tokens/s · ${progress.stepsPerSecond ? quantity(progress.stepsPerSecond) : '–'} steps/s`),
    figure('Workers', plan ? count(plan.members.length) : '0', plan ? `dp ${plan.dp} × tp ${plan.tp} × pp ${plan.pp}` : 'no plan in force'),
    figure('Generation', plan ? count(plan.generation) : '–', job.pending ? `${job.pending.generation} is being prepared` : last ? `since step ${count(last.firstStep)}` : ''),
    figure('Last stall', last ? stall(last.stallMicros) : '–', last ? `${bytes(last.movedBytes)} moved` : 'no change yet'),
    figure('Checkpoint', checkpoint ? `step ${count(checkpoint.step)}` : 'none', checkpoint ? bytes(checkpoint.bytes) : 'nothing saved yet'));
}

/** The marks on the axis as a table: each leads to its moment in the curves and to its entry in the log. */
function generations(state, job) {
  const all = [...job.generations].reverse();
  if (all.length === 0) return null;
  return details({ class: 'card generations' }, summary(`${plural(all.length, 'generation change')} on the axis`),
    div({ class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Generation changes' },
      table(
        thead(tr(th({ class: 'num' }, 'Gen.'), th({ class: 'num' }, 'From step'), th({ class: 'num' }, 'Workers'), th({ class: 'num' }, 'Stall'), th({ class: 'num' }, 'Moved'), th('When'), th('Why'), th('Go to'))),
        tbody(all.map((mark) => tr({ key: mark.generation },
          td({ class: 'num' }, mark.generation), td({ class: 'num' }, count(mark.firstStep)), td({ class: 'num' }, mark.workers), td({ class: 'num' }, stall(mark.stallMicros)), td({ class: 'num' }, bytes(mark.movedBytes)),
          td(dateTime(mark.atMs, state.prefs.zone)), td({ class: 'wrap' }, mark.reason),
          td(a({ href: momentInCurves(job.id, mark.firstStep) }, 'curves'), ' ', a({ href: asItWas(mark.offset) }, 'as it was'), ' ', a({ href: link('/log', { from: null, q: `Generation ${mark.generation} `, job: job.id }) }, 'log'))))))));
}

const figure = (name, value, detail) =>
  div({ class: 'figure' }, span({ class: 'figure-name' }, name), strong({ class: 'figure-value' }, value), span({ class: 'figure-detail' }, detail));
