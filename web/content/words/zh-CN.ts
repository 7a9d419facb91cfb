import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  code: "代码",
  commits: "提交",
  branches: "分支",
  tags: "标签",
  committed: "提交于 {time}",
};
