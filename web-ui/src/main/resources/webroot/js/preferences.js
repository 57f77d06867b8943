// Choices of this browser: colours and time zone.
import { LOCAL_ZONE } from '/js/format.js';

const KEY = 'myolotrain.preferences';

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

const held = stored();

export const preferences = {
  get theme() {
    return held.theme ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  },
  get zone() {
    return held.zone === 'UTC' ? 'UTC' : LOCAL_ZONE;
  },
  toggleTheme() {
    held.theme = this.theme === 'dark' ? 'light' : 'dark';
    this.apply();
  },
  toggleZone() {
    held.zone = this.zone === 'UTC' ? 'local' : 'UTC';
    this.apply();
  },
  apply() {
    document.documentElement.dataset.theme = this.theme;
    localStorage.setItem(KEY, JSON.stringify(held));
  },
};
