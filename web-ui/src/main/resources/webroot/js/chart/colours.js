// Colour scales that can be read with any colour vision, and by their lightness alone.

// Anchors of cividis (Nuñez, Anderton, Renslow 2018, doi 10.1371/journal.pone.0199239), between which colours are interpolated.
const CIVIDIS = [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [166, 156, 117], [195, 179, 105], [225, 204, 85], [254, 232, 56]];
// Blue below, orange above, the panel's own grey between: Okabe and Ito's pair.
const BELOW = [0, 114, 178];
const ABOVE = [230, 120, 0];

const mix = (x, y, share) => x.map((value, at) => Math.round(value + (y[at] - value) * share));

/** share in [0, 1] -> [r, g, b] */
export function sequential(share) {
  const place = Math.max(0, Math.min(1, share)) * (CIVIDIS.length - 1);
  const low = Math.min(CIVIDIS.length - 2, Math.floor(place));
  return mix(CIVIDIS[low], CIVIDIS[low + 1], place - low);
}

/** share in [-1, 1] -> [r, g, b]; light: whether the page is */
export function diverging(share, light) {
  const middle = light ? [240, 243, 246] : [44, 52, 62];
  const size = Math.max(-1, Math.min(1, share));
  return mix(middle, size < 0 ? BELOW : ABOVE, Math.abs(size) ** 0.8);
}

/** What is not finite, and what was not measured; each differs from both scales in hue and has a pattern or sign of its own. */
export const NOT_FINITE = [214, 39, 90];
export const missing = (light) => (light ? [226, 231, 236] : [33, 41, 50]);

export const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;
