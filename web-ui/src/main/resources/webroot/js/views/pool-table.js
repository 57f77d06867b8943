// Workers of the pool: who has which rank, who stands by.
import { code, div, h2, p, section, span, table, tbody, td, th, thead, tr } from '/js/dom.js';
import { count } from '/js/format.js';
import { source } from '/js/views/empty.js';

const STATE_SIGNS = { MEMBER: '●', JOINING: '◐', DRAINING: '◑', STANDBY: '○' };
const ROWS_MAX = 200;
const STATE_ORDER = { MEMBER: 0, JOINING: 1, DRAINING: 2, STANDBY: 3 };

/** job: whose shares are shown, null for the pool alone. */
export function poolTable(state, job, title = 'Pool') {
  const workers = [...state.pool.workers].sort((x, y) => STATE_ORDER[x.state] - STATE_ORDER[y.state] || (x.rank ?? 0) - (y.rank ?? 0) || (x.id < y.id ? -1 : 1));
  const shares = new Map((job?.plan?.members ?? []).map((m) => [m.worker, m]));
  return section({ class: 'card pool', 'aria-labelledby': 'pool-title' },
    h2({ id: 'pool-title' }, `${title} `, span({ class: 'dim' }, count(workers.length))),
    workers.length === 0
      ? div({ class: 'empty' }, p('No worker has joined. Start one: ', code('myolotrain worker')), source(state))
      : div({ class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Workers' },
          table(
            thead(tr(th('Worker'), th('State'), th({ class: 'num' }, 'Rank'), job && th('Micro-batches'), th('Host'), th({ class: 'num' }, 'Gen.'), th('Version'))),
            tbody(workers.slice(0, ROWS_MAX).map((w) => row(w, job, shares.get(w.id)))))),
    workers.length > ROWS_MAX && p({ class: 'dim' }, `${count(workers.length - ROWS_MAX)} more; the hosts on the overview count them all.`));
}

function row(worker, job, share) {
  const here = worker.job === job?.id;
  return tr({ key: worker.id, class: job && worker.job && !here ? 'dim' : '' },
    th({ scope: 'row' }, worker.id, span({ class: 'dim' }, ` #${worker.incarnation}`)),
    td(span({ class: `state ${worker.state.toLowerCase()}` }, span({ 'aria-hidden': 'true' }, STATE_SIGNS[worker.state]), ` ${worker.state.toLowerCase()}`, worker.job && !here ? ` of ${worker.job}` : '')),
    td({ class: 'num' }, worker.rank ?? '–'),
    job && td(here && share ? `${share.firstMicroBatch}–${share.firstMicroBatch + share.microBatches - 1}` : '–'),
    td({ title: `${worker.address}, HTTP port ${worker.httpPort}` }, worker.host),
    td({ class: 'num' }, worker.generation ?? '–'),
    td({ title: `kernel ${worker.kernel}` }, worker.version));
}
