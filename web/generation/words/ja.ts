import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  use: "このテンプレートを使う",
  about: "新しいリポジトリは、ここで選んだものから始まります。テンプレートの履歴は引き継がれません。",
  owner: "オーナー",
  name: "リポジトリ名",
  description: "説明",
  private: "非公開",
  privateHint: "自分とアクセスを与えた人だけが見られます。",
  copy: "テンプレートからコピーするもの",
  files: "ファイル",
  filesHint:
    "既定のブランチの全ファイルを 1 つのコミットとしてコピーします。テンプレートが指定する箇所では変数が置き換えられます。",
  "item-topics": "トピック",
  "item-avatar": "画像",
  "item-labels": "ラベル",
  "item-protected_branch": "ブランチ保護ルール",
  "item-webhooks": "Webhook",
  "item-git_hooks": "Git フック",
  create: "リポジトリを作成",
  notYourOwner: "このオーナーのリポジトリは作成できません。",
  "generation.no-template": "このリポジトリはテンプレートではありません。",
  "generation.nothing-selected": "コピーするものを少なくとも 1 つ選んでください。",
  "generation.same-path": "テンプレートの 2 つのファイルの名前がどちらも {path} になります。",
};
