/** Behaviours of the pages about files, history and changes. */
import { startCode } from "./client/code.ts";
import { forgetSent } from "./client/edit-drafts.ts";
import { startPushes } from "./client/pushes.ts";

startCode();
forgetSent();
startPushes();
