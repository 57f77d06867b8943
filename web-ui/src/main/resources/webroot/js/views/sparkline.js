// A loss in the size of a word; asks for its points when it comes into sight, and again now and then while it is there.
import { Component, polyline, span, svg } from '/js/dom.js';
import { quantity } from '/js/format.js';
import * as api from '/js/api.js';

const POINTS = 60;
const AGAIN_MS = 10_000;
const WIDTH = 120;
const HEIGHT = 30;

export class sparkline extends Component {
  componentDidMount() {
    this.watch = new IntersectionObserver(([entry]) => {
      clearInterval(this.timer);
      if (!entry.isIntersecting) return;
      this.load();
      this.timer = setInterval(() => this.load(), AGAIN_MS);
    });
    this.watch.observe(this.base);
  }

  componentDidUpdate(before) {
    if (before.attempt !== this.props.attempt) this.load();
  }

  componentWillUnmount() {
    clearInterval(this.timer);
    this.watch.disconnect();
  }

  async load() {
    try {
      const view = await api.get(`/api/jobs/${encodeURIComponent(this.props.job)}/series?${api.query({ name: this.props.name, points: POINTS })}`);
      this.setState({ view });
    } catch (error) {
      if (!(error instanceof api.Refused) && !(error instanceof TypeError)) throw error; // gone, or away: the frame says so
    }
  }

  render({ job, name }, { view }) {
    const values = view?.main.last.filter((x) => x !== null) ?? [];
    if (values.length < 2) return span({ class: 'spark dim' }, values.length === 1 ? quantity(values[0]) : '–');
    const low = Math.min(...values);
    const range = Math.max(...values) - low || 1;
    const place = (value, at) => `${((at * WIDTH) / (values.length - 1)).toFixed(1)},${(HEIGHT - 3 - ((value - low) / range) * (HEIGHT - 6)).toFixed(1)}`;
    return svg({ class: 'spark', width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${name} of ${job}, from ${quantity(values[0])} to ${quantity(values[values.length - 1])}`, 'data-points': values.length },
      polyline({ points: values.map(place).join(' '), fill: 'none' }));
  }
}
