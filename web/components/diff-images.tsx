import { modulePath } from "../assets/index.ts";
import { useLanguage, useWords } from "../language.ts";
import { refHref } from "../links.ts";
import { siteWords } from "../words/index.ts";
import type { DiffSource, FileDiff } from "./diff-types.ts";

/**
 * An image before and after, side by side; the script adds two other ways to compare them, and their sizes in pixels.
 */
export function DiffImages({ file, source }: { file: FileDiff; source: DiffSource }) {
  const t = useWords(siteWords);
  const { repo, commit, oldRepo, oldCommit } = source;
  const old =
    file.status === "added" || oldCommit === undefined
      ? undefined
      : refHref(oldRepo, "raw", { kind: "commit", name: oldCommit }, file.oldPath);
  const now =
    file.status === "deleted" ? undefined : refHref(repo, "raw", { kind: "commit", name: commit }, file.newPath);
  return (
    <div class="image-diff" data-image-diff="" data-module={modulePath("image-diff")}>
      {old && now ? (
        <span class="btn-row needs-script">
          {(["side", "swipe", "onion"] as const).map((way) => (
            <button type="button" class="btn btn-small" data-image-way={way} aria-pressed={String(way === "side")}>
              {t(`image-${way}`)}
            </button>
          ))}
        </span>
      ) : null}
      <div class="image-sides">
        {old ? <Side kind="before" href={old} path={file.oldPath} bytes={file.oldBytes} /> : null}
        {now ? <Side kind="after" href={now} path={file.newPath} bytes={file.newBytes} /> : null}
      </div>
      {old && now ? (
        <input type="range" min="0" max="100" value="50" aria-label={t("imageShare")} hidden data-image-share="" />
      ) : null}
    </div>
  );
}

function Side(props: { kind: "before" | "after"; href: string; path: string; bytes: number | undefined }) {
  const t = useWords(siteWords);
  const language = useLanguage();
  const { kind, href, path, bytes } = props;
  return (
    <figure class={`image-${kind}`}>
      <img src={href} alt={t(`image-${kind}-of`, { path })} loading="lazy" />
      <figcaption>
        {t(`image-${kind}`)}
        {bytes === undefined ? null : ` · ${language.size(bytes)}`}
        <span data-image-size="" />
      </figcaption>
    </figure>
  );
}
