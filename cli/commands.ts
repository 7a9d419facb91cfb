import { generateRunnerTokenCommand } from "./actions/generate-runner-token.ts";
import { sourceCommands } from "./admin/auth.ts";
import { listBackgroundCommand } from "./admin/background.ts";
import { changePasswordCommand } from "./admin/change-password.ts";
import { createUserCommand } from "./admin/create.ts";
import { deleteUserCommand } from "./admin/delete.ts";
import { generateAccessTokenCommand } from "./admin/generate-access-token.ts";
import { listUsersCommand } from "./admin/list.ts";
import { mailTestCommand } from "./admin/mail-test.ts";
import { mustChangePasswordCommand } from "./admin/must-change-password.ts";
import { quotaCommands } from "./admin/quota.ts";
import { regenerateCommand } from "./admin/regenerate.ts";
import { repoCommands } from "./admin/repos.ts";
import { resetTwoFactorCommand } from "./admin/reset-two-factor.ts";
import { rotateSecretsCommand } from "./admin/rotate-secrets.ts";
import { scheduleCommands } from "./admin/schedules.ts";
import { rebuildSearchCommand } from "./admin/search.ts";
import { sendmailCommand } from "./admin/sendmail.ts";
import { sshCommands } from "./admin/ssh.ts";
import { backupCommands } from "./backup.ts";
import { configCommand } from "./config.ts";
import type { Command } from "./dispatch.ts";
import { doctorCommand } from "./doctor.ts";
import type { CommandGroup } from "./help.ts";
import { routesCommand } from "./routes.ts";
import { serveCommand } from "./serve.ts";
import { versionCommand } from "./version.ts";

export const commands: readonly Command[] = [
  serveCommand,
  configCommand,
  createUserCommand,
  listUsersCommand,
  changePasswordCommand,
  deleteUserCommand,
  generateAccessTokenCommand,
  mustChangePasswordCommand,
  resetTwoFactorCommand,
  ...sourceCommands,
  rotateSecretsCommand,
  regenerateCommand,
  ...sshCommands,
  mailTestCommand,
  sendmailCommand,
  listBackgroundCommand,
  ...scheduleCommands,
  ...quotaCommands,
  generateRunnerTokenCommand,
  rebuildSearchCommand,
  ...repoCommands,
  ...backupCommands,
  doctorCommand,
  routesCommand,
  versionCommand,
];

/** Groups that stand for several commands in the full list; entry.ts handles `git` before the rest is loaded. */
export const commandGroups: readonly CommandGroup[] = [
  { name: "actions", doc: "help-actions" },
  { name: "admin", doc: "help-admin" },
  { name: "backup", doc: "help-backup" },
  { name: "git", doc: "help-git" },
];
