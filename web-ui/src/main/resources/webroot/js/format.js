// Numbers, durations and times as a person reads them. Every time carries its zone.

const partsOf = new Map(); // zone -> formatter; two at most: the browser's and UTC

export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

function formatter(zone) {
  if (!partsOf.has(zone)) {
    partsOf.set(zone, new Intl.DateTimeFormat('en-CA', {
      timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit',
      minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, timeZoneName: 'longOffset',
    }));
  }
  return partsOf.get(zone);
}

/** {date: '2023-01-02', clock: '00:15:00.792', zone: 'UTC-08:00'} */
export function moment(atMs, zone) {
  const part = Object.fromEntries(formatter(zone).formatToParts(atMs).map((x) => [x.type, x.value]));
  const offset = zone === 'UTC' ? 'UTC' : part.timeZoneName.replace('GMT', 'UTC').replace('-', '−');
  return {
    date: `${part.year}-${part.month}-${part.day}`,
    clock: `${part.hour}:${part.minute}:${part.second}.${part.fractionalSecond}`,
    zone: offset,
  };
}

export function dateTime(atMs, zone) {
  const m = moment(atMs, zone);
  return `${m.date} ${m.clock} ${m.zone}`;
}

/** '2023-01-02 08:15:00.792' in the zone -> Unix milliseconds, NaN when it is no time. The inverse of moment(). */
export function fromZone(text, zone) {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/.exec(text.trim());
  if (!match) return NaN;
  const [, y, mo, d, h = '0', mi = '0', s = '0', ms = '0'] = match;
  const wall = Date.UTC(+y, mo - 1, +d, +h, +mi, +s, +ms.padEnd(3, '0'));
  if (zone === 'UTC') return wall;
  let at = wall; // the zone's offset depends on the moment that is looked for: two rounds settle it
  for (let round = 0; round < 2; round++) at = wall - offsetMs(at, zone);
  return at;
}

function offsetMs(atMs, zone) {
  const { date, clock } = moment(atMs, zone);
  return fromZone(`${date} ${clock}`, 'UTC') - atMs;
}

export function duration(ms) {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return '–';
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const s = Math.round(ms / 1000);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

export const stall = (micros) =>
  micros === null || micros === undefined ? '–' : micros < 10_000 ? `${(micros / 1000).toFixed(1)} ms` : duration(micros / 1000);

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
export const count = (n) => (n === null || n === undefined ? '–' : whole.format(n));

/** Four significant digits, never exponent soup for everyday sizes. */
export function quantity(x) {
  if (x === null || x === undefined || !Number.isFinite(x)) return '–';
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return x.toExponential(3);
  if (size >= 1000) return whole.format(x);
  return String(Number(x.toPrecision(4)));
}

export function compact(x) {
  if (x === null || x === undefined || !Number.isFinite(x)) return '–';
  const size = Math.abs(x);
  if (size >= 1e9) return `${(x / 1e9).toPrecision(3)} G`;
  if (size >= 1e6) return `${(x / 1e6).toPrecision(3)} M`;
  if (size >= 1e4) return `${(x / 1e3).toPrecision(3)} k`;
  return quantity(x);
}

export function bytes(n) {
  if (n === null || n === undefined) return '–';
  if (n < 1024) return `${n} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let size = n / 1024;
  let at = 0;
  while (size >= 1024 && at < units.length - 1) {
    size /= 1024;
    at++;
  }
  return `${size.toPrecision(3)} ${units[at]}`;
}

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
