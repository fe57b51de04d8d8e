// A plugin of the bundler.

/** Problem texts come from the routes: of the texts of zod only the English ones are ever asked for. */
export const withoutLocales = {
  name: 'without-locales',
  load(id) {
    if (!/\/zod\/v4\/locales\/index\.js$/.test(id)) return null;
    return "export { default as en } from './en.js';";
  },
};
