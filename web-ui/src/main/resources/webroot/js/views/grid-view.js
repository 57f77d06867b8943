// A grid of the page: canvas, keyboard, and a scale that says what its colours mean.
import { Component, div, span } from '/js/dom.js';
import { css } from '/js/chart/colours.js';

let gridModule = null; // loaded with the first grid, not with the page

/** props of Grid, and label, onHover, onChoose, look: a text that changes when the picture does. */
export class gridView extends Component {
  componentDidMount() {
    gridModule ??= import('/js/chart/grid.js');
    gridModule.then(({ Grid }) => {
      if (this.gone) return;
      this.grid = new Grid(this.base.querySelector('.grid-host'), { hover: (cell) => this.props.onHover(cell), choose: (cell) => this.props.onChoose?.(cell) });
      this.grid.update(this.props);
    });
  }

  componentDidUpdate(before) {
    if (before.look !== this.props.look) this.grid?.update(this.props);
  }

  componentWillUnmount() {
    this.gone = true;
    this.grid?.destroy();
  }

  onKeyDown = (event) => {
    const move = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (move) this.grid?.step(...move);
    else if (event.key === 'Enter') this.grid?.choose();
    else return;
    event.preventDefault();
  };

  render({ label, height }) {
    return div({ class: 'grid-frame', tabIndex: 0, role: 'img', 'aria-label': `${label} Arrow keys move the cursor.`, onKeyDown: this.onKeyDown },
      div({ class: 'grid-host', style: { height: `${height}px` } }));
  }
}

/** colour(share) over [0, 1]; low and high in words. more: [[rgb, text, sign]] for cells off the scale. */
export function scaleLegend(colour, low, high, more = []) {
  const steps = Array.from({ length: 24 }, (_, at) => at / 23);
  return div({ class: 'scale' },
    span(low),
    span({ class: 'scale-bar', 'aria-hidden': 'true' }, steps.map((share) => span({ key: share, style: { background: css(colour(share)) } }))),
    span(high),
    more.map(([rgb, text, sign]) => span({ key: text, class: 'scale-more' }, span({ class: 'scale-cell', 'aria-hidden': 'true', style: { background: css(rgb) } }, sign ?? ''), text)));
}
