import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  topics: "トピック",
  field: "このリポジトリのトピック",
  hint: "リポジトリを見つけるための語です。コンマか空白で区切り、25 個まで。使えるのは英小文字、数字、ピリオド、ハイフンです。",
  save: "トピックを保存",
  saved: "トピックを保存しました。",
  "topics.too-many": "トピックは 25 個までです。",
  "topics.bad-names": "トピックにできない語があります: {names}",
  "topics.bad-name": "トピックにできません: {name}",
  "topics.full": "トピックは 25 個までです。",
};
