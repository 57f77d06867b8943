// One series over steps: line, envelope of minimum and maximum, abandoned branch, generation changes, gaps for what is
// not finite. Wraps uPlot; knows nothing of the page.
import uPlot from '/lib/uplot.js';

const HEIGHT = 240;
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function loadStyle() {
  if (document.querySelector('link[href="/lib/uplot.css"]')) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = '/lib/uplot.css';
  document.head.append(link);
}

export class LineChart {
  constructor(host, onHover, onZoom) {
    loadStyle();
    this.host = host;
    this.onHover = onHover;
    this.onZoom = onZoom;
    host.moveCursor = (by) => this.moveCursor(by);
    this.resize = new ResizeObserver(() => this.plot?.setSize({ width: this.width(), height: HEIGHT }));
    this.resize.observe(host);
  }

  width() {
    return Math.max(200, this.host.clientWidth);
  }

  update(props) {
    const look = `${props.theme} ${props.colour} ${Boolean(props.also)}`;
    this.props = props;
    this.data = align(props.series, props.also);
    if (!this.plot || this.look !== look) {
      this.plot?.destroy();
      this.look = look;
      this.plot = new uPlot(this.options(), this.data, this.host);
      this.plot.over.addEventListener('mouseleave', () => this.onHover(null));
    } else {
      this.plot.setData(this.data);
    }
  }

  destroy() {
    this.resize.disconnect();
    this.plot?.destroy();
  }

  moveCursor(by) {
    const { plot } = this;
    if (!plot) return;
    const xs = plot.data[0];
    const from = plot.cursor.idx ?? (by < 0 ? xs.length : -1);
    const at = Math.max(0, Math.min(xs.length - 1, by === Infinity ? xs.length - 1 : by === -Infinity ? 0 : from + by));
    plot.setCursor({ left: plot.valToPos(xs[at], 'x'), top: plot.over.clientHeight / 2 });
  }

  options() {
    const { format, colour, fromZero, alsoLabel } = this.props;
    const stroke = css(colour);
    const dim = css('--text-dim');
    const grid = { stroke: css('--line'), width: 1 };
    const font = '12px system-ui, sans-serif';
    return {
      width: this.width(),
      height: HEIGHT,
      padding: [18, 10, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 8, fill: stroke, stroke: css('--panel') }, drag: { x: true, y: false, setScale: false } },
      select: { show: true },
      scales: {
        x: { time: false },
        y: { range: (u, min, max) => padded(min, max, fromZero) },
      },
      axes: [
        { stroke: dim, grid, ticks: { show: false }, font, size: 30, values: (u, ticks) => ticks.map((x) => (Number.isInteger(x) ? x.toLocaleString('en-US') : '')) },
        { stroke: dim, grid, ticks: { show: false }, font, size: 56, values: (u, ticks) => ticks.map(format) },
      ],
      series: [
        {},
        { label: 'last', stroke, width: 2, points: { show: (u) => u.data[1].length < 3 } },
        { label: 'max', stroke: 'transparent', points: { show: false } },
        { label: 'min', stroke: 'transparent', points: { show: false } },
        { label: 'abandoned', stroke: dim, width: 1, dash: [4, 4], points: { show: false } },
        { label: alsoLabel ?? '', stroke: css('--series-3'), width: 2, points: { show: true, size: 6, fill: css('--series-3') } },
      ],
      bands: [{ series: [2, 3], fill: `color-mix(in srgb, ${stroke} 24%, transparent)` }],
      hooks: {
        draw: [(u) => this.drawMarks(u), (u) => this.drawNonFinite(u)],
        setCursor: [(u) => this.hover(u)],
        setSelect: [(u) => this.select(u)],
      },
    };
  }

  hover(u) {
    const { idx } = u.cursor;
    if (idx === null || idx === undefined) {
      this.onHover(null);
      return;
    }
    const step = u.data[0][idx];
    const { main } = this.props.series;
    const at = main.steps.indexOf(step);
    if (at < 0) return;
    this.onHover({ step, last: main.last[at], min: main.min[at], max: main.max[at], generation: main.generations[at], nonFinite: main.last[at] === null, also: u.data[5][idx] });
  }

  select(u) {
    const { left, width } = u.select;
    if (width < 4) return;
    const from = Math.floor(u.posToVal(left, 'x'));
    const to = Math.ceil(u.posToVal(left + width, 'x'));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (to > from) this.onZoom({ from, to });
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
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      const text = `g${mark.generation} · ${mark.workers}w`;
      const width = ctx.measureText(text).width;
      const left = Math.min(x, bbox.left + bbox.width - width);
      if (left < labelled + 6 * ratio) continue; // no label over another
      ctx.fillText(text, left, bbox.top - 6 * ratio);
      labelled = left + width;
    }
    ctx.restore();
  }

  /** A triangle at the foot for each bucket that holds a reading that is not finite: never drawn as a number. */
  drawNonFinite(u) {
    const { main } = this.props.series;
    const { ctx, bbox } = u;
    const size = 4 * devicePixelRatio;
    ctx.save();
    ctx.fillStyle = css('--bad');
    const foot = bbox.top + bbox.height;
    main.nonFinite.forEach((bad, at) => {
      if (bad === 0) return;
      const x = u.valToPos(main.steps[at], 'x', true);
      if (x < bbox.left || x > bbox.left + bbox.width) return;
      ctx.beginPath();
      ctx.moveTo(x - size, foot - 2 * size);
      ctx.lineTo(x + size, foot - 2 * size);
      ctx.lineTo(x, foot);
      ctx.fill();
    });
    ctx.restore();
  }
}

function padded(min, max, fromZero) {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const room = (max - min || Math.abs(max) || 1) * 0.08;
  return [fromZero ? 0 : min - room, max + room];
}

/**
 * All columns over one axis of steps. undefined: this column has no point here (the line goes on); null: there is one and it
 * is not finite (the line breaks).
 */
function align(series, also) {
  const { main, abandoned } = series;
  if (abandoned.steps.length === 0 && !also?.main.steps.length) {
    const none = new Array(main.steps.length);
    return [main.steps, main.last, main.max, main.min, none, none];
  }
  const xs = [...new Set([...main.steps, ...abandoned.steps, ...(also?.main.steps ?? [])])].sort((x, y) => x - y);
  const place = new Map(xs.map((x, at) => [x, at]));
  const column = (steps, values) => {
    const out = new Array(xs.length);
    steps.forEach((step, at) => { out[place.get(step)] = values[at]; });
    return out;
  };
  return [xs, column(main.steps, main.last), column(main.steps, main.max), column(main.steps, main.min), column(abandoned.steps, abandoned.last), also ? column(also.main.steps, also.main.last) : new Array(xs.length)];
}
