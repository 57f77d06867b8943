// One answer of the server that a view needs: asked for when the address of the answer changes, newest wins.
import * as api from './api.js';

const shown = new Set(); // those that a view needs now

export class Resource {
  /** What is shown may have changed as a whole. */
  static askAgain() {
    for (const resource of shown) resource.want(resource.path, true);
  }

  /** changed: called whenever there is something new to show */
  constructor(changed) {
    this.changed = changed;
    this.path = null;
    this.value = null;
    this.problem = null;
    this.busy = false;
    this.round = 0;
  }

  /** Asks when the path is another one than before, or again when told so. A null path forgets. */
  want(path, again = false) {
    if (path === this.path && !again) return;
    this.path = path;
    clearTimeout(this.timer);
    if (path === null) {
      shown.delete(this);
      this.value = null;
      this.round++;
      return;
    }
    shown.add(this);
    this.load(++this.round);
  }

  /** The same after a pause without another wish: for what follows typing. */
  wantSoon(path, ms) {
    if (path === this.path) return;
    if (path === null) {
      this.want(null);
      return;
    }
    this.path = path;
    shown.add(this);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(++this.round), ms);
  }

  async load(round) {
    this.busy = true;
    let next = null;
    let problem = null;
    try {
      next = await this.ask(this.path);
    } catch (error) {
      problem = error.problem ?? { rule: 'the server must be reachable', value: String(error.message), nextStep: 'this view asks again when the connection is back' };
    }
    if (round !== this.round) return;
    this.busy = false;
    this.problem = problem;
    if (!problem) this.value = next;
    this.changed();
  }

  ask(path) {
    return api.get(path);
  }

  drop() {
    shown.delete(this);
    clearTimeout(this.timer);
    this.round++;
  }
}
