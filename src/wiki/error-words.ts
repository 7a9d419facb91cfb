import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about wikis (contract repositories.md 16). */
export const wikiErrorWords: ErrorWords = {
  "wiki.untitled": "title is required",
  "wiki.bad-title": "title has characters that no title may have",
  "wiki.title-too-long": "title is too long",
  "wiki.title-reserved": ({ title }) => `wiki title is reserved: ${title}`,
  "wiki.page-exists": ({ file }) => `wiki page already exists [title: ${file}]`,
  "wiki.bad-base64": ({ position }) => `illegal base64 data at input byte ${position}`,
  "wiki.page-too-large": ({ maxBytes }) => `a page has at most ${maxBytes} bytes`,
  "wiki.changed-meanwhile": ({ title }) => `page ${title} was changed by someone else; nothing was saved`,
  "wiki.busy": "the wiki was changed by others again and again; nothing was saved",
};
