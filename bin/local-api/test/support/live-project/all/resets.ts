// The functions and the stack read it.
process.env['RESETS'] = '0';
