import { SubmitButton } from "../components/button.tsx";
import { ItemConversation, type ItemPageProps } from "../conversation/item-page.tsx";
import { useWords } from "../language.ts";
import { type MergeBox, MergeCard } from "../merging/merge-box.tsx";
import { PullPage, type PullPageProps } from "./head.tsx";
import { Reviewers, type ReviewersProps } from "./reviewers.tsx";
import { SuggestionBatch } from "./thread.tsx";
import { pullWords } from "./words/index.ts";

export interface ConversationProps extends PullPageProps {
  readonly item: Omit<ItemPageProps, "shell" | "repo">;
  readonly reviewers: ReviewersProps;
  /** Absent once it is closed or merged. */
  readonly box: MergeBox | undefined;
  readonly mayRemoveBranch: boolean;
  readonly mayRestoreBranch: boolean;
  readonly mayApply: boolean;
}

/** `GET {W}/pulls/{index}`. */
export function ConversationPage(props: ConversationProps) {
  const { box, item, mayRemoveBranch, mayRestoreBranch, pull, reviewers } = props;
  const t = useWords(pullWords);
  return (
    <PullPage {...props} tab="conversation">
      <ItemConversation
        {...item}
        sidebar={{ ...item.sidebar, first: <Reviewers {...reviewers} /> }}
        after={
          <>
            {box ? <MergeCard box={box} /> : null}
            {mayRemoveBranch ? (
              <form method="post" action={`${pull.href}/cleanup`}>
                <SubmitButton icon="trash">{t("removeBranch")}</SubmitButton>
              </form>
            ) : null}
            {mayRestoreBranch ? (
              <form method="post" action={`${pull.href}/restore_branch`}>
                <SubmitButton icon="git-branch">{t("restoreBranch")}</SubmitButton>
              </form>
            ) : null}
          </>
        }
      />
      {props.mayApply ? <SuggestionBatch href={pull.href} /> : null}
    </PullPage>
  );
}
