import { operator } from "../../src/access/principal.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { type SourceKind, sourceFields } from "../../src/sources/settings.ts";
import { KIND_NAMES } from "../../src/sources/types.ts";
import { flagOption, type Options, textOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command, HelpKey } from "../dispatch.ts";
import { say } from "../language.ts";
import { refusalText } from "../refusals.ts";
import { sourceEdit, sourceOptions } from "./auth-options.ts";
import { requiredOption } from "./people.ts";

/** `hearth admin auth …`: sign-in sources (contract identity.md 17.2). */

const KINDS: readonly (readonly [command: string, kind: SourceKind])[] = [
  ["oauth", "oauth2"],
  ["ldap", "ldap"],
  ["ldap-simple", "ldap-simple"],
  ["smtp", "smtp"],
];

const ID = { flags: "--id <number>", doc: "help-source-id" } as const;

export const sourceCommands: readonly Command[] = [
  listCommand(),
  ...KINDS.flatMap(([command, kind]) => [addCommand(command, kind), updateCommand(command, kind)]),
  deleteCommand(),
];

function addCommand(command: string, kind: SourceKind): Command {
  return {
    name: `admin auth add-${command}`,
    doc: `help-auth-add-${command}` as HelpKey,
    options: sourceOptions(kind),
    run: async (options) => {
      const edit = { ...sourceEdit(kind, options), name: requiredOption(options, "name") };
      await withServices(options, async ({ sources }) => {
        const { id, name } = await sources.add(operator, kind, edit).catch(namingOption(kind));
        console.log(say("sourceAdded", { name, id }));
      });
    },
  };
}

function updateCommand(command: string, kind: SourceKind): Command {
  return {
    name: `admin auth update-${command}`,
    doc: `help-auth-update-${command}` as HelpKey,
    options: [ID, ...sourceOptions(kind)],
    run: async (options) => {
      const id = idOf(options);
      const edit = sourceEdit(kind, options);
      await withServices(options, async ({ sources }) => {
        if (sources.get(operator, id).kind !== kind) throw new UsageError(say("sourceOfAnotherKind", { id }));
        const { name } = await sources.edit(operator, id, edit).catch(namingOption(kind));
        console.log(say("sourceUpdated", { name }));
      });
    },
  };
}

/** Names the refused option. @throws UsageError; the original error when it is not about an option */
function namingOption(kind: SourceKind): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof Failure) || error.field === undefined) throw error;
    const fields: Readonly<Record<string, { readonly option: string }>> = sourceFields[kind];
    const option = fields[error.field]?.option ?? error.field;
    throw new UsageError(say("optionRefused", { option, reason: await refusalText(error) }));
  };
}

function deleteCommand(): Command {
  return {
    name: "admin auth delete",
    doc: "help-auth-delete",
    options: [ID],
    run: async (options) => {
      const id = idOf(options);
      await withServices(options, ({ sources }) => {
        const { name } = sources.get(operator, id);
        sources.remove(operator, id);
        console.log(say("sourceDeleted", { name }));
      });
    },
  };
}

function listCommand(): Command {
  return {
    name: "admin auth list",
    doc: "help-auth-list",
    options: [
      { flags: "--min-width <n>", doc: "help-auth-min-width" },
      { flags: "--tab-width <n>", doc: "help-auth-tab-width" },
      { flags: "--padding <n>", doc: "help-auth-padding" },
      { flags: "--pad-char <character>", doc: "help-auth-pad-char" },
      { flags: "--vertical-bars", doc: "help-auth-vertical-bars" },
    ],
    run: (options) => {
      const style = {
        minWidth: widthOf(options, "min-width", 0),
        tabWidth: widthOf(options, "tab-width", 8),
        padding: widthOf(options, "padding", 1),
        fill: (textOption(options, "pad-char") ?? "\t").slice(0, 1) || " ",
        bars: flagOption(options, "vertical-bars") ?? false,
      };
      return withServices(options, ({ sources }) => {
        const rows = sources
          .list(operator)
          .map(({ id, name, kind, isActive }) => [String(id), name, KIND_NAMES[kind], String(isActive)]);
        for (const line of tabulated([["ID", "Name", "Type", "Enabled"], ...rows], style)) console.log(line);
      });
    },
  };
}

interface Style {
  readonly minWidth: number;
  readonly tabWidth: number;
  readonly padding: number;
  /** One character; a tab pads to the next tab stop. */
  readonly fill: string;
  readonly bars: boolean;
}

/** Rows in columns as wide as their widest cell. */
function tabulated(rows: readonly (readonly string[])[], style: Style): string[] {
  const { minWidth, tabWidth, padding, fill, bars } = style;
  const isTab = fill === "\t";
  const widths = (rows[0] ?? []).map((_, column) => {
    const widest = Math.max(...rows.map((row) => row[column]?.length ?? 0)) + padding;
    const width = Math.max(minWidth, widest);
    return isTab && tabWidth > 0 ? Math.ceil(width / tabWidth) * tabWidth : width;
  });
  return rows.map((row) =>
    row
      .map((cell, column) => {
        if (column === row.length - 1) return cell;
        const missing = (widths[column] ?? 0) - cell.length;
        return cell + fill.repeat(isTab ? Math.ceil(missing / Math.max(tabWidth, 1)) : missing);
      })
      .join(bars ? "|" : ""),
  );
}

function widthOf(options: Options, name: string, standard: number): number {
  const text = textOption(options, name);
  if (text === undefined) return standard;
  if (!/^\d{1,3}$/.test(text)) throw new UsageError(say("mustBeNumber", { name }));
  return Number(text);
}

function idOf(options: Options): number {
  const text = requiredOption(options, "id");
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(say("mustBeNumber", { name: "id" }));
  return Number(text);
}
