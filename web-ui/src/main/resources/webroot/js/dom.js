// Elements as functions: div({class: 'x'}, 'text'). Text is always a text node, so nothing needs escaping by hand.
import { h, render, Component, Fragment } from '/lib/preact.js';

export { h, render, Component, Fragment };

// A virtual node has no constructor: data that came as JSON can't pass for one.
const isProps = (value) => value !== null && typeof value === 'object' && value.constructor === Object;

const tag = (name) => (first, ...rest) =>
  isProps(first) ? h(name, first, ...rest) : h(name, null, first, ...rest);

export const a = tag('a');
export const button = tag('button');
export const canvas = tag('canvas');
export const caption = tag('caption');
export const code = tag('code');
export const dd = tag('dd');
export const details = tag('details');
export const div = tag('div');
export const dl = tag('dl');
export const dt = tag('dt');
export const fieldset = tag('fieldset');
export const footer = tag('footer');
export const form = tag('form');
export const h1 = tag('h1');
export const h2 = tag('h2');
export const h3 = tag('h3');
export const header = tag('header');
export const img = tag('img');
export const input = tag('input');
export const label = tag('label');
export const legend = tag('legend');
export const li = tag('li');
export const main = tag('main');
export const nav = tag('nav');
export const ol = tag('ol');
export const option = tag('option');
export const output = tag('output');
export const p = tag('p');
export const section = tag('section');
export const select = tag('select');
export const small = tag('small');
export const span = tag('span');
export const strong = tag('strong');
export const summary = tag('summary');
export const table = tag('table');
export const tbody = tag('tbody');
export const td = tag('td');
export const textarea = tag('textarea');
export const th = tag('th');
export const thead = tag('thead');
export const time = tag('time');
export const svg = tag('svg');
export const polyline = tag('polyline');
export const polygon = tag('polygon');
export const tr = tag('tr');
export const ul = tag('ul');
