// The server's API. A token, when there is one, comes once in the address's fragment (#token=…), which no server sees.

const TOKEN_KEY = 'myolotrain.token';

export function takeTokenFromAddress() {
  const match = /[#&?]token=([^&]+)/.exec(location.hash);
  if (match) {
    sessionStorage.setItem(TOKEN_KEY, decodeURIComponent(match[1]));
    history.replaceState(null, '', location.pathname + location.search);
  }
}

export const setToken = (token) => sessionStorage.setItem(TOKEN_KEY, token);

export function headers(more = {}) {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

/** What the server refused, with its rule, value and next step. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.rule ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

async function answer(response) {
  if (response.ok) return response.json();
  let problem;
  try {
    problem = await response.json();
  } catch {
    problem = { rule: 'the server answers in JSON', value: `HTTP ${response.status}`, nextStep: 'look at the log of the server' };
  }
  throw new Refused(response.status, problem);
}

export const get = async (path) => answer(await fetch(path, { headers: headers(), cache: 'no-store' }));

export const post = async (path, body) =>
  answer(await fetch(path, { method: 'POST', headers: headers({ 'Content-Type': 'application/json' }), body: JSON.stringify(body) }));

export const query = (values) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');
