# Compiler options, the folder table and the functions that the CMakeLists.txt files share.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(sinew_options INTERFACE)
target_compile_options(sinew_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes
  $<$<BOOL:${SINEW_WERROR}>:-Werror>
  # The same numbers from every compiler, level and target; math-errno only costs the inline sqrt.
  -ffp-contract=off -fno-math-errno)
target_compile_definitions(sinew_options INTERFACE SN_VERSION="${PROJECT_VERSION}")
target_include_directories(sinew_options INTERFACE "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src")
if(NOT SINEW_WASM)
  target_link_libraries(sinew_options INTERFACE m)
endif()
if(SINEW_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(sinew_options INTERFACE ${sanitizers} -fsanitize=fuzzer-no-link)
  target_link_options(sinew_options INTERFACE ${sanitizers})
endif()

# layers.txt -> SINEW_LAYERS, SINEW_RUNTIME, and SINEW_BELOW_<folder> with the folders that one
# stands on.
set(SINEW_LAYERS "")
set(SINEW_RUNTIME "")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/layers.txt")
file(STRINGS "${CMAKE_SOURCE_DIR}/layers.txt" lines REGEX "^[a-z]+:")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([a-z]+):([^|]*)" line "${line}")
  set(folder "${CMAKE_MATCH_1}")
  string(REGEX MATCHALL "[a-z]+" names "${CMAKE_MATCH_2}")
  if(folder STREQUAL "runtime")
    set(SINEW_RUNTIME ${names})
  else()
    set(SINEW_BELOW_${folder} ${names})
    list(APPEND SINEW_LAYERS ${folder})
  endif()
endforeach()

# The C files of a folder and below. AVX2 files are compiled for x86-64 only, with AVX2 on for them alone.
function(sinew_sources out dir)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${dir}/*.c")
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(FILTER sources EXCLUDE REGEX "_avx2\\.c$")
  endif()
  foreach(source IN LISTS sources)
    if(source MATCHES "_avx2\\.c$")
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS -mavx2)
    endif()
  endforeach()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# Links a target to the libraries of the folders that `folder` stands on, as far as they exist yet.
function(sinew_link_below target scope folder)
  foreach(below IN LISTS SINEW_BELOW_${folder})
    if(TARGET sn_${below})
      target_link_libraries(${target} ${scope} sn_${below})
    endif()
  endforeach()
endfunction()

# sn_<folder> from dir/*.c; without a source it only passes on what it stands on.
function(sinew_folder_library folder dir)
  sinew_sources(sources ${dir})
  if(sources)
    add_library(sn_${folder} STATIC ${sources})
    target_link_libraries(sn_${folder} PUBLIC sinew_options)
    sinew_link_below(sn_${folder} PUBLIC ${folder})
    # A page waits for the download; only what runs for every joint and vertex of a frame is worth its
    # size in speed. A module of the rig runs a few times a frame.
    if(SINEW_WASM AND (NOT folder IN_LIST SINEW_RUNTIME OR folder STREQUAL "rig"))
      target_compile_options(sn_${folder} PRIVATE -Os)
    endif()
  else()
    add_library(sn_${folder} INTERFACE)
    target_link_libraries(sn_${folder} INTERFACE sinew_options)
    sinew_link_below(sn_${folder} INTERFACE ${folder})
  endif()
endfunction()

# Splits sources into those that define main and the rest.
function(sinew_split_mains mains rest)
  set(with "")
  set(without "")
  foreach(source IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(STRINGS "${source}" found REGEX "^int main\\(")
    if(found)
      list(APPEND with "${source}")
    else()
      list(APPEND without "${source}")
    endif()
  endforeach()
  set(${mains} "${with}" PARENT_SCOPE)
  set(${rest} "${without}" PARENT_SCOPE)
endfunction()
