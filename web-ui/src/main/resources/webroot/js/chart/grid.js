// A grid of coloured cells on a canvas, with axes, a cursor for mouse and keyboard, and signs for cells that a colour can't
// tell. Knows nothing of the page.
import { css } from '/js/chart/colours.js';

const LEFT = 64;
const BOTTOM = 26;
const TOP = 6;
const RIGHT = 8;
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Black or white, whichever is read better on the colour. */
const legible = ([r, g, b]) => (0.3 * r + 0.59 * g + 0.11 * b > 140 ? '#111' : '#fff');

export class Grid {
  /** on: {hover({row, column}|null), choose({row, column})} */
  constructor(host, on) {
    this.host = host;
    this.on = on;
    host.grid = this; // what is drawn can be asked for: grid.props
    this.canvas = document.createElement('canvas');
    host.append(this.canvas);
    this.cursor = null;
    this.canvas.addEventListener('mousemove', (event) => this.move(this.cell(event)));
    this.canvas.addEventListener('mouseleave', () => this.move(null));
    this.canvas.addEventListener('click', (event) => {
      const cell = this.cell(event);
      if (cell) this.on.choose?.(cell);
    });
    this.resize = new ResizeObserver(() => this.draw());
    this.resize.observe(host);
  }

  destroy() {
    this.resize.disconnect();
  }

  /**
   * props: {rows, columns, height, colour(row, column) -> [r, g, b], sign(row, column) -> ''|text, rowLabel(row),
   * columnLabel(column), upward: whether row 0 is at the foot, marks: columns with a line before them}
   */
  update(props) {
    this.props = props;
    this.draw();
  }

  /** Moves the cursor with the keyboard. */
  step(rows, columns) {
    const { props } = this;
    const from = this.cursor ?? { row: 0, column: props.columns - 1 };
    this.move({
      row: Math.max(0, Math.min(props.rows - 1, from.row + (props.upward ? rows : -rows))),
      column: Math.max(0, Math.min(props.columns - 1, from.column + columns)),
    });
  }

  choose() {
    if (this.cursor) this.on.choose?.(this.cursor);
  }

  move(cell) {
    if (cell?.row === this.cursor?.row && cell?.column === this.cursor?.column) return;
    this.cursor = cell;
    this.draw();
    this.on.hover(cell);
  }

  box() {
    const width = Math.max(180, this.host.clientWidth);
    return { width, height: this.props.height, inner: width - LEFT - RIGHT, deep: this.props.height - TOP - BOTTOM };
  }

  cell(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const { inner, deep } = this.box();
    const { rows, columns, upward } = this.props;
    const column = Math.floor(((event.clientX - left - LEFT) / inner) * columns);
    const down = Math.floor(((event.clientY - top - TOP) / deep) * rows);
    if (column < 0 || column >= columns || down < 0 || down >= rows) return null;
    return { row: upward ? rows - 1 - down : down, column };
  }

  draw() {
    if (!this.props) return;
    const { rows, columns, colour, sign, rowLabel, columnLabel, upward, marks } = this.props;
    const { width, height, inner, deep } = this.box();
    const ratio = devicePixelRatio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const ctx = this.canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    ctx.font = '11px system-ui, sans-serif';
    const x = (column) => LEFT + (column * inner) / columns;
    const y = (row) => TOP + ((upward ? rows - 1 - row : row) * deep) / rows;
    const [wide, high] = [inner / columns, deep / rows];
    const gap = wide > 9 && high > 9 ? 1 : 0;
    const [over, under] = gap ? [0, 0] : [0.6, 0.6]; // without gaps cells overlap a little: no seams
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        ctx.fillStyle = css(colour(row, column));
        ctx.fillRect(x(column), y(row), wide - gap + over, high - gap + under);
      }
    }
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    for (let row = 0; sign && row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const text = sign(row, column);
        if (!text) continue;
        ctx.fillStyle = legible(colour(row, column));
        if (wide > 10 && high > 10) {
          ctx.fillText(text, x(column) + wide / 2, y(row) + high / 2);
        } else if (wide > 3 && high > 3) {
          ctx.fillRect(x(column) + wide / 2 - 1, y(row) + high / 2 - 1, 2, 2);
        }
      }
    }
    ctx.strokeStyle = token('--text');
    ctx.lineWidth = 1;
    ctx.setLineDash([2, 3]);
    for (const column of marks ?? []) {
      ctx.beginPath();
      ctx.moveTo(x(column), TOP);
      ctx.lineTo(x(column), TOP + deep);
      ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.fillStyle = token('--text-dim');
    ctx.textAlign = 'right';
    const everyRow = Math.max(1, Math.ceil(13 / high));
    for (let row = 0; row < rows; row += everyRow) ctx.fillText(rowLabel(row), LEFT - 6, y(row) + high / 2);
    ctx.textAlign = 'left';
    let free = LEFT;
    for (let column = 0; column < columns; column++) {
      const text = columnLabel(column);
      const size = ctx.measureText(text).width;
      const at = Math.min(x(column) + (wide > size ? (wide - size) / 2 : 0), width - RIGHT - size);
      if (at < free) continue;
      ctx.fillText(text, at, TOP + deep + 14);
      free = at + Math.max(size + 14, inner / 9);
    }
    if (this.cursor) {
      ctx.strokeStyle = token('--accent');
      ctx.lineWidth = 2;
      ctx.strokeRect(x(this.cursor.column) - 1, y(this.cursor.row) - 1, Math.max(4, wide) + 2, Math.max(4, high) + 2);
    }
  }
}
