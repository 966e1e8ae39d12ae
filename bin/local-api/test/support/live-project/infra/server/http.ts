// A module of the process that serves the project.
export {};
