import type { HookType } from "../../src/webhooks/types.ts";

/** Webhook types by the product names of their services. */
export const typeNames: Readonly<Record<HookType, string>> = {
  gitea: "Gitea",
  gogs: "Gogs",
  forgejo: "Forgejo",
  slack: "Slack",
  discord: "Discord",
  dingtalk: "DingTalk",
  telegram: "Telegram",
  msteams: "Microsoft Teams",
  feishu: "Feishu",
  matrix: "Matrix",
  wechatwork: "WeCom",
  packagist: "Packagist",
};
