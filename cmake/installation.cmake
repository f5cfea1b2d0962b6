# What `cmake --install` puts where. Manual page and completions are printed by the program itself,
# so that they name exactly what it knows.
include(GNUInstallDirs)
install(TARGETS phasegate RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(CODE "
  set(made \"${CMAKE_BINARY_DIR}/generated/share\")
  file(MAKE_DIRECTORY \"\${made}\")
  # What is there and current stays untouched.
  function(print_to file)
    execute_process(COMMAND \"${CMAKE_BINARY_DIR}/phasegate\" \${ARGN}
      OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    if(EXISTS \"\${made}/\${file}\")
      file(READ \"\${made}/\${file}\" there)
    endif()
    if(NOT \"\${there}\" STREQUAL \"\${text}\")
      file(WRITE \"\${made}/\${file}\" \"\${text}\")
    endif()
  endfunction()
  print_to(phasegate.1 help --man)
  print_to(phasegate completion bash)
  print_to(_phasegate completion zsh)
")
install(FILES "${CMAKE_BINARY_DIR}/generated/share/phasegate.1"
  DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${CMAKE_BINARY_DIR}/generated/share/phasegate"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${CMAKE_BINARY_DIR}/generated/share/_phasegate"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
