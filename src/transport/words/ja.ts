import type { Words } from "../../language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  noWriting: "このリポジトリへの書き込み権限がありません。",
  defaultBranch: "{branch} はデフォルトブランチのため削除できません",
  repoSettings: "このリポジトリの設定を変更する権限がありません",
  noPullRequests: "ここにプルリクエストを作成する権限がありません。",
  pullToEmpty: "空のリポジトリにはプルリクエストを作成できません。",
  pullToWiki: "Wiki はプルリクエストに対応していません。",
  diskFull: "サーバーのディスクがいっぱいです。何も変更されていません",
  diskReadOnly: "サーバーのディスクに書き込めません。何も変更されていません",
  diskFailed: "サーバーのディスクに障害があります。変更が保存されたか確認できません",
  tookTooLong: "プッシュの処理に時間がかかりすぎました。何も変更されていません",
  paddedModes:
    "この履歴は古いツールで書かれ、ファイルモードの先頭にゼロが付いています。サーバーの管理者が git.accept_zero_padded_modes = true を設定すると、このような履歴を受け入れます。git fast-export と git fast-import でゼロのない履歴に書き直すこともできます（ID は変わります）",
};
