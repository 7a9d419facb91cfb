/** Behaviours of the page of an issue or a pull request. */
import { startComments } from "./client/comments.ts";
import { startDrafts } from "./client/drafts.ts";
import { startFiles } from "./client/files.ts";
import { startMarks } from "./client/marks.ts";
import { startScopes } from "./client/scopes.ts";
import { startSuggestions } from "./client/suggestions.ts";
import { startTasks } from "./client/tasks.ts";

startComments();
startDrafts();
startFiles();
startSuggestions();
startMarks();
startScopes();
startTasks();
