import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { Changed, DIFF_ICONS, diffAnchor } from "./diff-file.tsx";
import type { FileDiff } from "./diff-types.ts";
import { Icon } from "./icon.tsx";
import { TreeClose } from "./tree-toggle.tsx";

/** The changed files by directory; on phones it is shown when its URL is opened. */
export function DiffTree(props: {
  files: readonly FileDiff[];
  /** Files whose boxes are not on this page, but on the one at `href`. */
  unloaded?: readonly FileDiff[];
  href: string;
}) {
  const t = useWords(siteWords);
  const { files, href, unloaded = [] } = props;
  const elsewhere = new Set(unloaded);
  const hrefOf = (file: FileDiff) =>
    `${elsewhere.has(file) ? withQuery(href, { "skip-to": file.newPath }) : ""}#${diffAnchor(file.newPath)}`;
  return (
    <nav class="side-tree diff-tree" id="diff-tree" aria-label={t("changedFiles")}>
      <TreeClose />
      <input
        type="search"
        class="needs-script"
        aria-label={t("filterFiles")}
        placeholder={t("filterFiles")}
        autocomplete="off"
        data-filter-files=""
      />
      <Entries directory={directoryOf([...files, ...unloaded])} hrefOf={hrefOf} />
    </nav>
  );
}

interface Directory {
  readonly name: string;
  readonly directories: Map<string, Directory>;
  readonly files: FileDiff[];
}

function directoryOf(files: readonly FileDiff[]): Directory {
  const root: Directory = { name: "", directories: new Map(), files: [] };
  for (const file of files) {
    let at = root;
    for (const name of file.newPath.split("/").slice(0, -1)) {
      const next = at.directories.get(name) ?? { name, directories: new Map(), files: [] };
      at.directories.set(name, next);
      at = next;
    }
    at.files.push(file);
  }
  return root;
}

/** Merges directories that contain only one directory into one row. */
function joined(directory: Directory): Directory {
  const [only, ...others] = directory.directories.values();
  if (!only || others.length > 0 || directory.files.length > 0) return directory;
  const below = joined(only);
  return { ...below, name: `${directory.name}/${below.name}` };
}

function Entries({ directory, hrefOf }: { directory: Directory; hrefOf(file: FileDiff): string }) {
  const t = useWords(siteWords);
  return (
    <ul>
      {[...directory.directories.values()].map(joined).map((each) => (
        <li>
          <details open>
            <summary>
              <Icon name="file-directory-fill" /> <span>{each.name}</span>
            </summary>
            <Entries directory={each} hrefOf={hrefOf} />
          </details>
        </li>
      ))}
      {directory.files.map((file) => (
        <li>
          <a href={hrefOf(file)} title={file.newPath}>
            <Icon name={DIFF_ICONS[file.status]} label={t(`diff-${file.status}`)} />{" "}
            <span>{file.newPath.slice(file.newPath.lastIndexOf("/") + 1)}</span>
          </a>
          <Changed additions={file.additions} deletions={file.deletions} />
        </li>
      ))}
    </ul>
  );
}
