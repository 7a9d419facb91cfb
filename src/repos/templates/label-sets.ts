import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../kernel/log.ts";
import { checkColor, checkLabelDescription, checkLabelName, MAX_LABELS } from "../../labels/values.ts";
import { type LabelTemplate, labelTemplates } from "./labels.ts";

/** Folder in the data folder whose files are additional sets. */
const FOLDER = "label-templates";
/** Sets are written by hand, so they are small. */
const MAX_BYTES = 256 * 1024;
const MAX_FILES = 100;

/** Label sets: the built-in ones and the operator's files, which take precedence (contract issues.md 13.7). */
export class LabelSets {
  private readonly sets: ReadonlyMap<string, readonly LabelTemplate[]>;

  /** Reads the files once; unreadable ones are logged and skipped. */
  constructor(dataDir: string, log: Log) {
    const own = filesIn(join(dataDir, FOLDER)).flatMap((file) => {
      try {
        return [[nameOf(file), readSet(join(dataDir, FOLDER, file))] as const];
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.warn("a file of labels could not be read", { file: join(FOLDER, file), reason });
        return [];
      }
    });
    this.sets = new Map([...Object.entries(labelTemplates), ...own]);
  }

  /** The sorted names. */
  names(): string[] {
    return [...this.sets.keys()].sort();
  }

  find(name: string): readonly LabelTemplate[] | undefined {
    return this.sets.get(name);
  }
}

/** If several files yield the same name, the last in this order wins. */
function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort().slice(0, MAX_FILES);
  } catch {
    // The folder does not exist: the operator has no files.
    return [];
  }
}

const nameOf = (file: string) => file.replace(/\.[^.]+$/, "");

/** @throws Error not a label file */
function readSet(path: string): LabelTemplate[] {
  const stat = lstatSync(path);
  if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error("not a file of a few labels");
  const text = readFileSync(path, "utf8");
  const labels = /\.ya?ml$/i.test(path) ? fromYaml(text) : fromLines(text);
  if (labels.length > MAX_LABELS) throw new Error(`more than ${MAX_LABELS} labels`);
  return labels;
}

/** `labels:`, a list of `name`, `color`, `description`, `exclusive`, `exclusive_order`. */
function fromYaml(text: string): LabelTemplate[] {
  const parsed: unknown = Bun.YAML.parse(text);
  const list = isRecord(parsed) ? parsed["labels"] : undefined;
  if (!Array.isArray(list)) throw new Error("no list named labels");
  return list.map((entry: unknown) => {
    if (!isRecord(entry)) throw new Error("an entry is no label");
    const { color, description, exclusive, exclusive_order: order, name } = entry;
    return {
      name: checkLabelName(textOf(name)),
      // 000000 without quotes is a number to YAML.
      color: checkColor(textOf(color).padStart(typeof color === "number" ? 6 : 0, "0")),
      description: checkLabelDescription(textOf(description)),
      exclusive: exclusive === true,
      ...(typeof order === "number" && Number.isSafeInteger(order) && order > 0 ? { exclusiveOrder: order } : {}),
    };
  });
}

/** Lines of `#rrggbb name ; description`. */
function fromLines(text: string): LabelTemplate[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (line.trim() === "") return [];
    const [, color = "", name = "", description = ""] = /^\s*(#[0-9a-fA-F]{3,6})\s+([^;]*)(?:;(.*))?$/.exec(line) ?? [];
    if (color === "") throw new Error(`not a label: ${line.slice(0, 80)}`);
    return [
      {
        name: checkLabelName(name),
        color: checkColor(color),
        description: checkLabelDescription(description.trim()),
        exclusive: false,
      },
    ];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");
