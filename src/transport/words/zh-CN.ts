import type { Words } from "../../language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  noWriting: "您没有写入此仓库的权限。",
  defaultBranch: "{branch} 是默认分支，无法删除",
  repoSettings: "您没有更改此仓库设置的权限",
  noPullRequests: "您不能在此创建拉取请求。",
  pullToEmpty: "不能为空仓库创建拉取请求。",
  pullToWiki: "维基不支持拉取请求。",
  diskFull: "服务器磁盘已满，未做任何更改",
  diskReadOnly: "无法写入服务器磁盘，未做任何更改",
  diskFailed: "服务器磁盘出现故障，无法确认更改是否已保存",
  tookTooLong: "推送占用服务器的时间过长；未做任何更改",
  paddedModes:
    "此历史记录由旧工具写入，文件模式前带有零。服务器管理员可设置 git.accept_zero_padded_modes = true 以接受此类历史记录；也可用 git fast-export 和 git fast-import 重写以去掉这些零，对象 ID 会随之改变",
};
