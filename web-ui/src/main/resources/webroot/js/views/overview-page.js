// The pool at a glance: jobs, hosts, and what was decided last.
import { a, code, div, h, h2, li, ol, p, section, span, table, tbody, td, th, thead, time, tr } from '/js/dom.js';
import { count, dateTime, duration, moment, quantity } from '/js/format.js';
import { jobsInOrder } from '/js/store.js';
import { asItWas, link } from '/js/routes.js';
import { emptyJobs } from '/js/views/empty.js';
import { phaseBadge, progressBar } from '/js/views/job-list.js';
import { poolTable } from '/js/views/pool-table.js';
import { sparkline } from '/js/views/sparkline.js';

const EVENTS_SHOWN = 8;

export function overviewPage({ state }) {
  return div({ class: 'job' },
    jobs(state),
    hosts(state),
    (state.jobs.size > 0 || state.pool.workers.length > 0) && poolTable(state, null),
    latest(state));
}

function jobs(state) {
  const all = jobsInOrder(state);
  if (all.length === 0) return emptyJobs(state);
  return section({ class: 'card', 'aria-labelledby': 'jobs-head' },
    h2({ id: 'jobs-head' }, 'Jobs ', span({ class: 'dim' }, count(all.length))),
    div({ class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Jobs' },
      table({ class: 'overview' },
        thead(tr(th('Job'), th('State'), th('Progress'), th({ class: 'num' }, 'Left'), th({ class: 'num' }, 'Loss'), th('Loss so far'), th({ class: 'num' }, 'Workers'), th({ class: 'num' }, 'Gen.'))),
        tbody(all.map((job) => jobRow(job))))));
}

function jobRow(job) {
  const { step, maxSteps, loss, lossText, etaMs } = job.progress;
  return tr({ key: job.id, 'data-job': job.id },
    th({ scope: 'row' }, a({ href: link(`/jobs/${encodeURIComponent(job.id)}`) }, job.id)),
    td(phaseBadge(job.phase)),
    td({ class: 'progress' }, progressBar(job), span({ class: 'dim' }, `${count(step)} / ${count(maxSteps)}`)),
    td({ class: 'num' }, job.phase === 'RUNNING' && etaMs !== null ? duration(etaMs) : '–'),
    td({ class: 'num' }, loss === null ? lossText || '–' : quantity(loss)),
    td(h(sparkline, { job: job.id, attempt: job.attempt, name: 'job.loss' })),
    td({ class: 'num' }, job.plan ? count(job.plan.members.length) : '0'),
    td({ class: 'num' }, job.plan ? count(job.plan.generation) : '–'));
}

function hosts(state) {
  const byHost = new Map();
  for (const worker of state.pool.workers) {
    if (!byHost.has(worker.host)) byHost.set(worker.host, []);
    byHost.get(worker.host).push(worker);
  }
  if (byHost.size === 0) return null;
  const number = (workers, states) => workers.filter((w) => states.includes(w.state)).length;
  const distinct = (values) => [...new Set(values)].sort().join(', ');
  return section({ class: 'card hosts', 'aria-labelledby': 'hosts-title' },
    h2({ id: 'hosts-title' }, 'Hosts ', span({ class: 'dim' }, count(byHost.size))),
    div({ class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Hosts' },
      table(
        thead(tr(th('Host'), th({ class: 'num' }, 'Workers'), th({ class: 'num' }, 'In a plan'), th({ class: 'num' }, 'Standby'), th('Ranks'), th('Jobs'), th('Versions'), th('Kernels'))),
        tbody([...byHost].sort(([x], [y]) => (x < y ? -1 : 1)).map(([host, workers]) => tr({ key: host },
          th({ scope: 'row' }, host),
          td({ class: 'num' }, count(workers.length)),
          td({ class: 'num' }, count(number(workers, ['MEMBER', 'JOINING']))),
          td({ class: 'num' }, count(number(workers, ['STANDBY']))),
          td(workers.filter((w) => w.rank !== null).map((w) => w.rank).sort((x, y) => x - y).join(', ') || '–'),
          td(distinct(workers.map((w) => w.job).filter(Boolean)) || '–'),
          td(distinct(workers.map((w) => w.version))),
          td(code(distinct(workers.map((w) => w.kernel))))))))));
}

function latest(state) {
  return section({ class: 'card events', 'aria-labelledby': 'latest-title' },
    div({ class: 'card-head' }, h2({ id: 'latest-title' }, 'Latest decisions'), a({ href: '#/log' }, 'All of the log')),
    state.events.length === 0
      ? p({ class: 'dim empty-line' }, 'No decision yet: the first one of the coordinator appears here.')
      : ol({ class: 'rows' }, state.events.slice(0, EVENTS_SHOWN).map((row) => {
          const at = moment(row.atMs, state.prefs.zone);
          return li({ key: row.id, class: `row ${row.tone.toLowerCase()}` },
            time({ class: 'when', dateTime: new Date(row.atMs).toISOString(), title: dateTime(row.atMs, state.prefs.zone) }, span(at.clock), span({ class: 'dim' }, `${at.date} ${at.zone}`)),
            span({ class: 'sign', 'aria-hidden': 'true' }, '•'),
            div({ class: 'what' }, span({ class: 'kind' }, row.kind), ' ', row.text, row.reason && div({ class: 'reason' }, `because ${row.reason}`)),
            a({ class: 'place', href: asItWas(row.offset) }, `offset ${row.offset}`));
        })),
    state.events.length > EVENTS_SHOWN && p({ class: 'dim' }, `${count(state.events.length - EVENTS_SHOWN)} more in the log.`));
}
