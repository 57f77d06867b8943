// Server-sent events over fetch, because EventSource can't carry a token. Reconnects with the last id it has seen.
import { headers, query } from './api.js';

const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 10_000;
const SILENCE_MAX_MS = 25_000; // the server beats every 10 s

export class Stream {
  /** on: {message(type, body), status(state, retryAtMs), unauthorized()} */
  constructor(on) {
    this.on = on;
    this.lastId = '';
    this.retryMs = RETRY_MIN_MS;
    this.run = 0;
  }

  /** Goes on after `position`, watching the named series of a job. */
  start(position, watch) {
    this.stop();
    if (position) this.lastId = position;
    this.watch = watch;
    this.connect(++this.run);
  }

  stop() {
    this.run++;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.abort?.abort();
  }

  async connect(run) {
    this.abort = new AbortController();
    const { abort } = this;
    try {
      const response = await fetch(`/api/stream?${query(this.watch)}`, {
        headers: headers({ Accept: 'text/event-stream', 'Last-Event-ID': this.lastId }),
        signal: abort.signal,
        cache: 'no-store',
      });
      if (run !== this.run) return;
      if (response.status === 401) return this.on.unauthorized();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      this.retryMs = RETRY_MIN_MS;
      this.on.status('live');
      await this.read(response.body.getReader(), run, abort);
    } catch (error) {
      if (run !== this.run) return;
    }
    if (run === this.run) this.retry(run);
  }

  async read(reader, run, abort) {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => abort.abort(), SILENCE_MAX_MS);
      const { done, value } = await reader.read();
      if (done || run !== this.run) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop();
      for (const block of blocks) this.dispatch(block);
    }
  }

  dispatch(block) {
    let type = 'message';
    let data = '';
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) this.lastId = line.slice(4);
      else if (line.startsWith('event: ')) type = line.slice(7);
      else if (line.startsWith('data: ')) data += line.slice(6);
    }
    if (data) this.on.message(type, JSON.parse(data));
  }

  retry(run) {
    clearTimeout(this.silence);
    const wait = this.retryMs * (0.75 + Math.random() / 2);
    this.retryMs = Math.min(RETRY_MAX_MS, this.retryMs * 2);
    this.on.status('retrying', Date.now() + wait);
    this.timer = setTimeout(() => run === this.run && this.connect(run), wait);
  }
}
