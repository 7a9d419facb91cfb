import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  code: "代码",
  searchCode: "搜索代码",
  searchHere: "在 {repository} 中搜索",
  search: "搜索",
  mode: "搜索方式",
  "mode-exact": "精确",
  "mode-words": "包含所有词",
  "mode-regexp": "正则表达式",
  allLanguages: "所有语言",
  language: "语言",
  resultCount: { other: "{count} 个文件" },
  atLeast: { other: "至少 {count} 个文件" },
  partial: "文件过多，未能在限定时间内全部搜索。输入更长的文本可缩小范围。",
  moreLines: { other: "还有 {count} 行" },
  noMatch: "没有找到匹配的结果。",
  noMatchHint: "仅搜索默认分支，不包括二进制文件和过大的文件。",
  prompt: "在您有权阅读的所有仓库的代码中搜索。",
  promptHere: "仅搜索默认分支：{branch}。",
  missing: "正在为此仓库的代码建立索引，完成后页面会自动显示结果。",
  missingEverywhere: "正在建立代码索引，请稍后再来。",
  "search.bad-expression": "这不是有效的正则表达式。",
  "search.too-long": "搜索内容过长。",
  "search.too-vague": "在所有仓库中搜索至少需要三个连续的字符。",
  "search.too-slow": "搜索耗时过长，已停止。请尝试更简单的表达式。",
};
