import { examplesLive } from "./examples/life";

examplesLive(2);
