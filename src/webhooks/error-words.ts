import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about webhooks (contract webhooks.md 1.6). */
export const webhookErrorWords: ErrorWords = {
  "webhook.type-unknown": ({ type }) => `Invalid hook type: ${type}`,
  "webhook.option-missing": ({ name }) => `Missing config option: ${name}`,
  "webhook.bad-content-type": "Invalid content type",
  "webhook.bad-url": "Invalid url",
  "webhook.bad-system-flag": "Invalid is_system_webhook value",
  "webhook.bad-channel": "Invalid slack channel name",
  "webhook.bad-filter": "Invalid branch filter",
  "webhook.bad-header": "a secret or header is a single line",
  "webhook.too-many": ({ max }) => `there are ${max} webhooks here, and there can be no more`,
  "webhook.switched-off": "webhooks disabled by administrator",
  "webhook.repository-empty": "repository is empty",
};
