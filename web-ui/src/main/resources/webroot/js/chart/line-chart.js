// Series over steps: line, envelope of minimum and maximum, smoothed line, abandoned branches, generation changes, and marks
// for what is not finite. Wraps uPlot; knows nothing of the page.
import uPlot from '/lib/uplot.js';

const HEIGHT = 260;
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const COLUMNS = 5; // of one run: last, max, min, smoothed, abandoned

function loadStyle() {
  if (document.querySelector('link[href="/lib/uplot.css"]')) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = '/lib/uplot.css';
  document.head.append(link);
}

export class LineChart {
  /** on: {hover(readout|null), zoom(range|null), mark(generation mark)} */
  constructor(host, on) {
    loadStyle();
    this.host = host;
    this.on = on;
    host.chart = this; // what is drawn can be asked for: chart.data
    this.resize = new ResizeObserver(() => this.plot?.setSize({ width: this.width(), height: HEIGHT }));
    this.resize.observe(host);
  }

  width() {
    return Math.max(200, this.host.clientWidth);
  }

  /**
   * props: {runs: [{label, colour, view}], also: {label, view}|null, marks, theme, format, fromZero, log, smooth, zoom, mark}
   * smooth: 0 to 0.99, weight of the past.
   */
  update(props) {
    const look = [props.theme, props.log, props.smooth > 0, Boolean(props.also), ...props.runs.map((r) => r.colour)].join(' ');
    this.props = props;
    this.data = align(props);
    if (!this.plot || this.look !== look) {
      this.plot?.destroy();
      this.look = look;
      this.plot = new uPlot(this.options(), this.data, this.host);
      this.plot.over.addEventListener('mouseleave', () => this.on.hover(null));
      this.plot.over.addEventListener('dblclick', () => this.on.zoom(null));
      this.plot.over.addEventListener('click', (event) => this.click(event));
    } else {
      this.plot.setData(this.data);
    }
    this.host.dataset.points = this.data[0].length;
  }

  destroy() {
    this.resize.disconnect();
    this.plot?.destroy();
  }

  moveCursor(by) {
    const { plot } = this;
    if (!plot) return;
    const xs = plot.data[0];
    const [low, high] = [this.index(plot.scales.x.min), this.index(plot.scales.x.max)];
    const from = plot.cursor.idx ?? (by < 0 ? high + 1 : low - 1);
    const at = Math.max(low, Math.min(high, by === Infinity ? high : by === -Infinity ? low : from + by));
    plot.setCursor({ left: plot.valToPos(xs[at], 'x'), top: plot.over.clientHeight / 2 });
  }

  index(step) {
    const at = nearest(this.plot.data[0], step);
    return Math.max(0, at);
  }

  /** by: part of what is shown, negative to the left. */
  pan(by) {
    const { min, max } = this.plot.scales.x;
    this.go(min + by * (max - min), max + by * (max - min));
  }

  /** factor below 1 shows less: around the cursor when there is one. */
  scale(factor) {
    const { min, max } = this.plot.scales.x;
    const { idx } = this.plot.cursor;
    const centre = idx === null || idx === undefined ? (min + max) / 2 : this.plot.data[0][idx];
    this.go(centre - (centre - min) * factor, centre + (max - centre) * factor);
  }

  go(from, to) {
    const width = Math.max(1, Math.round(to - from));
    const start = Math.max(0, Math.round(from));
    this.on.zoom({ from: start, to: start + width });
  }

  options() {
    const { format, fromZero, log, smooth, runs, also } = this.props;
    const dim = css('--text-dim');
    const grid = { stroke: css('--line'), width: 1 };
    const font = '12px system-ui, sans-serif';
    const series = [{}];
    const bands = [];
    runs.forEach((run) => {
      const stroke = css(run.colour);
      const at = series.length;
      const soft = smooth > 0;
      series.push(
        { label: run.label, stroke: soft ? `color-mix(in srgb, ${stroke} 45%, transparent)` : stroke, width: soft ? 1 : 2, points: { show: (u) => u.data[at].length < 3 } },
        { label: 'max', stroke: 'transparent', points: { show: false } },
        { label: 'min', stroke: 'transparent', points: { show: false } },
        { label: 'smoothed', stroke, width: 2.5, show: soft, points: { show: false } },
        { label: 'abandoned', stroke: `color-mix(in srgb, ${stroke} 55%, ${css('--panel')})`, width: 1, dash: [4, 4], points: { show: false } });
      bands.push({ series: [at + 1, at + 2], fill: `color-mix(in srgb, ${stroke} 24%, transparent)` });
    });
    const strokeAlso = css('--series-3');
    if (also) series.push({ label: also.label, stroke: strokeAlso, width: 2, points: { show: true, size: 6, fill: strokeAlso } });
    return {
      width: this.width(),
      height: HEIGHT,
      padding: [18, 24, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { size: 8, fill: (u, at) => u.series[at].stroke(u, at), stroke: css('--panel') },
        drag: { x: true, y: false, setScale: false },
        sync: { key: 'run', scales: ['x', null] },
        bind: { mousedown: (u, target, handler) => (event) => (event.shiftKey ? this.startPan(event) : handler(event)), dblclick: () => null },
      },
      select: { show: true },
      scales: {
        x: { time: false, range: (u, min, max) => this.xRange(min, max) },
        y: log ? { distr: 3, log: 10, range: (u, min, max) => paddedLog(min, max) } : { range: (u, min, max) => padded(min, max, fromZero) },
      },
      axes: [
        { stroke: dim, grid, ticks: { show: false }, font, size: 30, values: (u, ticks) => ticks.map((x) => (Number.isInteger(x) ? x.toLocaleString('en-US') : '')) },
        { stroke: dim, grid, ticks: { show: false }, font, size: 58, values: (u, ticks) => ticks.map((y) => (y === null ? '' : format(y))) },
      ],
      series,
      bands,
      hooks: {
        draw: [(u) => this.drawExtremes(u), (u) => this.drawMarks(u), (u) => this.drawNonFinite(u)],
        setCursor: [(u) => this.hover(u)],
        setSelect: [(u) => this.select(u)],
      },
    };
  }

  xRange(min, max) {
    const { zoom } = this.props;
    if (zoom) return [zoom.from, zoom.to];
    if (min === null || max === null) return [0, 1];
    return min === max ? [min - 1, max + 1] : [min, max];
  }

  hover(u) {
    const { idx } = u.cursor;
    if (idx === null || idx === undefined) {
      this.on.hover(null);
      return;
    }
    const step = u.data[0][idx];
    const { runs, also } = this.props;
    const read = ({ label, colour, view }) => {
      const { main } = view;
      const at = nearest(main.steps, step);
      if (at < 0) return { label, colour, missing: true };
      return {
        label, colour, step: main.steps[at], firstStep: main.firstSteps[at], last: main.last[at], min: main.min[at], max: main.max[at],
        generation: main.generations[at], atMs: main.atMs[at], nonFinite: main.nonFinite[at], odd: main.odd[at],
      };
    };
    let alsoValue = null;
    if (also) {
      const at = nearest(also.view.main.steps, step);
      alsoValue = at < 0 ? null : { label: also.label, step: also.view.main.steps[at], last: also.view.main.last[at] };
    }
    const smoothed = this.props.smooth > 0 ? u.data[4][idx] : null;
    this.on.hover({ step, runs: runs.map(read), also: alsoValue, smoothed });
  }

  select(u) {
    const { left, width } = u.select;
    if (width < 4) return;
    const from = Math.floor(u.posToVal(left, 'x'));
    const to = Math.ceil(u.posToVal(left + width, 'x'));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (to > from) this.on.zoom({ from: Math.max(0, from), to });
  }

  startPan(event) {
    const u = this.plot;
    const { min, max } = u.scales.x;
    const perPixel = (max - min) / u.over.clientWidth;
    const startX = event.clientX;
    const end = (up) => {
      removeEventListener('mouseup', end);
      const by = (startX - up.clientX) * perPixel;
      if (Math.abs(by) >= 1) this.go(min + by, max + by);
    };
    addEventListener('mouseup', end);
    return null;
  }

  click(event) {
    const { plot } = this;
    const x = event.clientX - plot.over.getBoundingClientRect().left;
    const hit = this.props.marks.find((mark) => Math.abs(plot.valToPos(mark.firstStep, 'x') - x) < 5);
    if (hit) this.on.mark(hit);
  }

  drawMarks(u) {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = css('--mark');
    ctx.fillStyle = css('--text-dim');
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    ctx.lineWidth = ratio;
    let labelled = -Infinity;
    for (const mark of this.props.marks) {
      const x = Math.round(u.valToPos(mark.firstStep, 'x', true));
      if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue;
      line(ctx, x, bbox);
      const text = `g${mark.generation} · ${mark.workers}w`;
      const width = ctx.measureText(text).width;
      const left = Math.min(x, bbox.left + bbox.width - width);
      if (left < labelled + 6 * ratio) continue; // no label over another
      ctx.fillText(text, left, bbox.top - 6 * ratio);
      labelled = left + width;
    }
    const { mark } = this.props;
    if (mark !== null && mark !== undefined) {
      const x = Math.round(u.valToPos(mark, 'x', true));
      ctx.setLineDash([]);
      ctx.lineWidth = 2 * ratio;
      ctx.strokeStyle = css('--accent');
      if (x >= bbox.left && x <= bbox.left + bbox.width) line(ctx, x, bbox);
    }
    ctx.restore();
  }

  /** Minimum to maximum of each bucket, at least a pixel wide: a band of that width alone would fade to nothing. */
  drawExtremes(u) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.globalAlpha = 0.5;
    ctx.lineWidth = Math.max(1, devicePixelRatio);
    for (const { colour, view: { main } } of this.props.runs) {
      ctx.strokeStyle = css(colour);
      ctx.beginPath();
      for (let at = 0; at < main.steps.length; at++) {
        const [low, high] = [main.min[at], main.max[at]];
        if (low === null || low === high || (this.props.log && high <= 0)) continue;
        const x = u.valToPos(main.steps[at], 'x', true);
        if (x < bbox.left || x > bbox.left + bbox.width) continue;
        const top = u.valToPos(high, 'y', true);
        const foot = this.props.log && low <= 0 ? bbox.top + bbox.height : u.valToPos(low, 'y', true);
        if (foot - top < 2) continue;
        ctx.moveTo(x, top);
        ctx.lineTo(x, foot);
      }
      ctx.stroke();
    }
    ctx.restore();
  }

  /** A triangle at the foot for each bucket that holds a reading that is not finite: never drawn as a number. */
  drawNonFinite(u) {
    const { ctx, bbox } = u;
    const size = 4 * devicePixelRatio;
    const foot = bbox.top + bbox.height;
    ctx.save();
    this.marked = 0;
    for (const run of this.props.runs) {
      const { main } = run.view;
      ctx.fillStyle = css('--bad');
      for (let at = 0; at < main.nonFinite.length; at++) {
        if (main.nonFinite[at] === 0) continue;
        const x = u.valToPos(main.steps[at], 'x', true);
        if (x < bbox.left || x > bbox.left + bbox.width) continue;
        this.marked++;
        ctx.beginPath();
        ctx.moveTo(x - size, foot - 2 * size);
        ctx.lineTo(x + size, foot - 2 * size);
        ctx.lineTo(x, foot);
        ctx.fill();
      }
    }
    ctx.restore();
  }

  /** The chart with a title on the page's background, as PNG. */
  png(title) {
    const from = this.plot.ctx.canvas;
    const ratio = devicePixelRatio;
    const to = document.createElement('canvas');
    to.width = from.width;
    to.height = from.height + 30 * ratio;
    const ctx = to.getContext('2d');
    ctx.fillStyle = css('--panel');
    ctx.fillRect(0, 0, to.width, to.height);
    ctx.fillStyle = css('--text');
    ctx.font = `600 ${14 * ratio}px system-ui, sans-serif`;
    ctx.fillText(title, 10 * ratio, 20 * ratio);
    ctx.drawImage(from, 0, 30 * ratio);
    return new Promise((done) => to.toBlob(done, 'image/png'));
  }
}

function line(ctx, x, bbox) {
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
}

/** Index of the last step that is <= the wanted one, else of the first; -1 when there is none. */
export function nearest(steps, wanted) {
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (steps[middle] <= wanted) low = middle;
    else high = middle - 1;
  }
  return steps.length ? low : -1;
}

function padded(min, max, fromZero) {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const room = (max - min || Math.abs(max) || 1) * 0.08;
  return [fromZero ? Math.min(0, min) : min - room, max + room];
}

function paddedLog(min, max) {
  if (min === null || max === null || !(min > 0)) return [0.1, 10];
  return [min / 1.25, max * 1.25];
}

/** Exponential moving average of what is finite; a gap stays a gap. The first values weigh in full (no bias to zero). */
export function smoothed(values, weight) {
  let sum = 0;
  let mass = 0;
  return values.map((value) => {
    if (value === null || value === undefined) return value;
    sum = weight * sum + (1 - weight) * value;
    mass = weight * mass + (1 - weight);
    return sum / mass;
  });
}

/**
 * All columns over one axis of steps. undefined: this column has no point here (the line goes on); null: there is one and it
 * is not finite (the line breaks).
 */
function align({ runs, also, log, smooth }) {
  const views = runs.map((run) => run.view);
  const steps = views.flatMap((view) => [view.main.steps, view.abandoned.steps]).concat(also ? [also.view.main.steps] : []).filter((list) => list.length > 0);
  const shared = steps.length <= 1;
  const xs = shared ? steps[0] ?? [] : [...new Set(steps.flat())].sort((x, y) => x - y);
  const place = shared ? null : new Map(xs.map((x, at) => [x, at]));
  const legal = log ? (value) => (value > 0 ? value : null) : (value) => value;
  const column = (at, values) => {
    if (at.length === 0) return new Array(xs.length);
    if (shared) return log ? values.map(legal) : values;
    const out = new Array(xs.length);
    for (let i = 0; i < at.length; i++) out[place.get(at[i])] = legal(values[i]);
    return out;
  };
  const data = [xs];
  for (const { main, abandoned } of views) {
    data.push(column(main.steps, main.last), column(main.steps, main.max), column(main.steps, main.min),
      smooth > 0 ? column(main.steps, smoothed(main.last, smooth)) : new Array(xs.length), column(abandoned.steps, abandoned.last));
  }
  if (also) data.push(column(also.view.main.steps, also.view.main.last));
  return data;
}

export { COLUMNS };
