import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  use: "使用此模板",
  about: "新仓库以您在此选择的内容开始；模板的历史不会复制。",
  owner: "所有者",
  name: "仓库名称",
  description: "描述",
  private: "私有",
  privateHint: "只有您和您授权的人可以看到。",
  copy: "从模板复制",
  files: "文件",
  filesHint: "默认分支的所有文件，作为一次提交；在模板要求的地方填入变量。",
  "item-topics": "主题",
  "item-avatar": "图片",
  "item-labels": "标签",
  "item-protected_branch": "分支保护规则",
  "item-webhooks": "Webhook",
  "item-git_hooks": "Git 钩子",
  create: "创建仓库",
  notYourOwner: "您不能为此所有者创建仓库。",
  "generation.no-template": "此仓库不是模板。",
  "generation.nothing-selected": "请至少选择一项要复制的内容。",
  "generation.same-path": "模板中有两个文件都将命名为 {path}。",
};
